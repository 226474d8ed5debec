package com.namidb.spark.read;

import com.namidb.format.scan.ScanRequest;
import com.namidb.spark.types.GraphColumns;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of a label or edge type that is known and has no rows. Whoever plans a read knows it by
 * then, so that nothing is planned to find it out.
 */
final class EmptyTable {
  private static final Logger LOG = LoggerFactory.getLogger(EmptyTable.class);

  private EmptyTable() {}

  /** Called when metadata proves that a read gives no row. */
  static void warn(TableSource source, Pushdown pushed) {
    if (isOne(source) && pushed.describe().isEmpty()) {
      LOG.warn("{} is known but has no live rows: it reads as an empty table", source.name());
    }
  }

  private static boolean isOne(TableSource source) {
    if (source.targets().size() != 1) {
      return false;
    }
    return source.targets().get(0) instanceof ScanRequest.Nodes nodes
        ? nodes.label().isPresent()
        : !Arrays.asList(source.schema().fieldNames()).contains(GraphColumns.TYPE);
  }
}
