package com.namidb.spark.catalog;

import com.namidb.format.error.NamiException;
import com.namidb.spark.types.SparkSchemas;
import com.namidb.spark.write.NamiWriteBuilder;
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

/**
 * A table that can be written but not read: it is not there yet, or its columns are only inputs.
 */
public final class WrittenTable implements SupportsRead, SupportsWrite {
  private final StructType schema;
  private final NamiException unreadable;

  /**
   * Wraps a schema.
   *
   * @param unreadable what a read of it fails with
   */
  public WrittenTable(StructType schema, NamiException unreadable) {
    this.schema = schema;
    this.unreadable = unreadable;
  }

  @Override
  public String name() {
    return "namidb";
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
    return EnumSet.of(
        TableCapability.BATCH_READ,
        TableCapability.BATCH_WRITE,
        TableCapability.ACCEPT_ANY_SCHEMA,
        TableCapability.TRUNCATE);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    throw unreadable;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new NamiWriteBuilder(info);
  }
}
