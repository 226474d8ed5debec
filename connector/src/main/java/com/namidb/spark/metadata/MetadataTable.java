package com.namidb.spark.metadata;

import com.namidb.format.error.WriteErrors;
import com.namidb.spark.types.SparkSchemas;
import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table whose rows the driver makes when a query on it is planned. Never written. */
final class MetadataTable implements SupportsRead, SupportsWrite {
  private final String name;
  private final StructType schema;
  private final RowMaker rows;
  private final boolean taking;

  /**
   * Makes the table.
   *
   * @param rows makes the rows
   */
  MetadataTable(String name, StructType schema, RowMaker rows) {
    this(name, schema, rows, true);
  }

  private MetadataTable(String name, StructType schema, RowMaker rows, boolean taking) {
    this.name = name;
    this.schema = schema;
    this.rows = rows;
    this.taking = taking;
  }

  /** The same table for a statement that adds no rows, so that Spark looks at its columns. */
  MetadataTable closed() {
    return new MetadataTable(name, schema, rows, false);
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
    // Without a write that says no, Spark takes the table for one of its old sources and fails with
    // an internal error.
    Set<TableCapability> out =
        EnumSet.of(
            TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
    if (taking) {
      // Whatever rows are brought, the answer is the same.
      out.add(TableCapability.ACCEPT_ANY_SCHEMA);
    }
    return out;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    throw WriteErrors.metadata(name);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new MetadataScan(name, schema, rows);
  }

  @Override
  public String toString() {
    return name();
  }
}
