package com.namidb.spark.procedure;

import com.namidb.format.error.ReadErrors;
import com.namidb.spark.metadata.Cells;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code diff}: how many rows of a table changed between two versions. Counted by the query a user
 * would write over the table's changes, so that it runs on the cluster and under leases. Contract
 * §7.
 */
final class Diff extends NamiProcedure {
  private static final String FROM = "from_version";
  private static final String TO = "to_version";
  private static final String LABEL = "label";
  private static final String TYPE = "type";
  private static final String ALL = "*";
  private static final StructType COLUMNS =
      new StructType()
          .add("table", DataTypes.StringType, false)
          .add("inserted", DataTypes.LongType, false)
          .add("updated", DataTypes.LongType, false)
          .add("deleted", DataTypes.LongType, false);

  private final Function<String, Map<String, String>> place;

  /**
   * Makes no request.
   *
   * @param place the path form's options that say where a graph is
   */
  Diff(Function<String, Map<String, String>> place) {
    super(
        "diff",
        "Counts the rows that changed between two versions of a graph",
        namespace(),
        version(FROM, "the earlier version"),
        optional(TO, DataTypes.LongType, "the later version; the current or pinned one without"),
        optional(LABEL, DataTypes.StringType, "only nodes with this label; * for all nodes"),
        optional(TYPE, DataTypes.StringType, "only edges of this type; * for all edges"));
    this.place = place;
  }

  @Override
  Result run(Arguments arguments) {
    String namespace = arguments.text(NAMESPACE);
    Optional<String> label = arguments.optionalText(LABEL);
    Optional<String> type = arguments.optionalText(TYPE);
    if (label.isPresent() && type.isPresent()) {
      throw ReadErrors.badArgument(name(), TYPE, "is given beside 'label'", "Keep one of them.");
    }
    Map<String, String> options = new HashMap<>(place.apply(namespace));
    long from =
        arguments
            .version(FROM)
            .orElseThrow(
                () -> ReadErrors.badArgument(name(), FROM, "is null", "Give it a snapshot id."));
    options.put("changes-from", Long.toString(from));
    arguments.version(TO).ifPresent(to -> options.put("changes-to", Long.toString(to)));
    List<InternalRow> rows = new ArrayList<>();
    if (type.isEmpty()) {
      rows.add(count("nodes", LABEL, label.orElse(ALL), options));
    }
    if (label.isEmpty()) {
      rows.add(count("edges", TYPE, type.orElse(ALL), options));
    }
    return new Result(COLUMNS, rows);
  }

  private static InternalRow count(
      String table, String option, String value, Map<String, String> options) {
    Map<String, Long> counts = new HashMap<>();
    for (Row row :
        SparkSession.active()
            .read()
            .format("namidb")
            .options(options)
            .option(option, value)
            .load()
            .groupBy("_change")
            .count()
            .collectAsList()) {
      counts.put(row.getString(0), row.getLong(1));
    }
    return Cells.row(
        value.equals(ALL) ? table : table + "." + value,
        counts.getOrDefault("insert", 0L),
        counts.getOrDefault("update_after", 0L),
        counts.getOrDefault("delete", 0L));
  }
}
