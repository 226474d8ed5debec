package com.namidb.spark.write;

import com.namidb.spark.write.row.PropertyColumn;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names of properties that the engine keeps for columns of its own files. Manifest §4.7 R14. */
final class EngineNames {
  private static final Logger LOG = LoggerFactory.getLogger(EngineNames.class);
  private static final Set<String> RESERVED = Set.of("", "node_id", "tombstone", "lsn");

  private EngineNames() {}

  /** Those among a write's properties. */
  static List<String> of(List<PropertyColumn> properties) {
    return properties.stream()
        .map(PropertyColumn::name)
        .filter(n -> RESERVED.contains(n) || n.startsWith("__") || n.startsWith("prop_"))
        .toList();
  }

  /**
   * One line of the log if there are any: they can be stored, but not everything done with them.
   */
  static void warn(String target, List<PropertyColumn> properties) {
    List<String> names = of(properties);
    if (!names.isEmpty()) {
      LOG.warn(
          "Properties {} of {} have names that the engine reserves. They are stored and read like"
              + " others, but an index or constraint on them would make the namespace unloadable:"
              + " rename the columns unless you are sure that none will ever be declared",
          names,
          target);
    }
  }
}
