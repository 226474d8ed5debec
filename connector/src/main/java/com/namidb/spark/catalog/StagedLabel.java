package com.namidb.spark.catalog;

import com.namidb.format.error.WriteErrors;
import com.namidb.spark.types.SparkSchemas;
import com.namidb.spark.write.NamiWriteBuilder;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A label or edge type that comes into being with its first rows. The write commits by itself,
 * once, and leaves nothing if it fails, so that nothing is left to do afterwards.
 */
final class StagedLabel implements StagedTable, SupportsWrite {
  private static final Logger LOG = LoggerFactory.getLogger(StagedLabel.class);

  private static final String MODE = "write-mode";
  private static final String ISOLATION = "isolation";
  private static final Set<String> ADDING = Set.of("insert", "upsert");

  private final TableName name;
  private final StructType schema;
  private final Map<String, String> options;
  private final Map<String, String> place;
  private Write write;
  private boolean visible;

  /**
   * Prepares it.
   *
   * @param options options of the write that the statement gave
   * @param place the path form's options of the table
   */
  StagedLabel(
      TableName name, StructType schema, Map<String, String> options, Map<String, String> place) {
    this.name = name;
    this.schema = schema;
    this.options = options;
    this.place = place;
  }

  @Override
  public String name() {
    return "namidb " + name;
  }

  @Override
  @SuppressWarnings("deprecation") // abstract on Spark 4.0, and what columns() comes from
  public StructType schema() {
    return schema;
  }

  @Override
  public Column[] columns() {
    return SparkSchemas.columns(schema);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    Map<String, String> all = new HashMap<>();
    options.forEach((k, v) -> all.put(k.toLowerCase(Locale.ROOT), v));
    info.options().asCaseSensitiveMap().forEach((k, v) -> all.put(k.toLowerCase(Locale.ROOT), v));
    String mode = all.getOrDefault(MODE, "insert");
    if (!ADDING.contains(mode.strip().toLowerCase(Locale.ROOT))) {
      throw WriteErrors.badWrite(
          "A new table cannot be made with write-mode=" + mode, "Use insert, or leave it out.");
    }
    // Rows of the table that another adds meanwhile are a conflict: it was to be new.
    all.putIfAbsent(ISOLATION, "serializable");
    all.putAll(place);
    visible = !all.containsKey("stage");
    NamiWriteBuilder builder = new NamiWriteBuilder(new PlacedWrite(info, all));
    return new WriteBuilder() {
      @Override
      public Write build() {
        write = builder.build();
        return write;
      }
    };
  }

  /** Committed by the write itself, unless there was no row. */
  @Override
  public void commitStagedChanges() {
    // A write tells of its commit by metrics.
    if (visible && write != null && write.reportDriverMetrics().length == 0) {
      LOG.warn(
          "CREATE TABLE {} AS SELECT gave no rows, so there is no such table: a label or edge type"
              + " is nothing but its rows",
          name);
    }
  }

  @Override
  public void abortStagedChanges() {
    // The write that failed took its files back.
  }
}
