package com.namidb.spark.catalog;

import com.namidb.spark.types.GraphColumns;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * A column that can be selected but is not part of {@code *}. Contract §3.
 *
 * @param name its name
 * @param dataType its type
 * @param isNullable whether it may be null
 * @param comment what it holds
 */
record HiddenColumn(String name, DataType dataType, boolean isNullable, String comment)
    implements MetadataColumn {
  /** All of them. */
  static MetadataColumn[] all() {
    return new MetadataColumn[] {
      new HiddenColumn(
          GraphColumns.LSN, DataTypes.LongType, false, "log sequence number of the row's version"),
      new HiddenColumn(
          GraphColumns.SST, DataTypes.StringType, true, "id of the row's SST, null for WAL rows"),
      new HiddenColumn(
          GraphColumns.LEVEL, DataTypes.IntegerType, true, "level of that SST, null for WAL rows"),
      new HiddenColumn(
          GraphColumns.SNAPSHOT_ID,
          DataTypes.LongType,
          false,
          "the version this table is pinned to"),
      new HiddenColumn(
          GraphColumns.JSON, DataTypes.StringType, true, "the stored property object as text")
    };
  }
}
