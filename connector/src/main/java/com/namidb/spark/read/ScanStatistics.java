package com.namidb.spark.read;

import java.util.OptionalLong;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.types.StructType;

/**
 * What the optimizer learns of a scan.
 *
 * @param rows upper bound of its rows
 * @param columns its columns: their default widths give the size, because SSTs are compressed and
 *     their sizes would make Spark broadcast too much
 */
record ScanStatistics(long rows, StructType columns) implements Statistics {
  private static final int ROW_OVERHEAD = 8;

  @Override
  public OptionalLong sizeInBytes() {
    long width = ROW_OVERHEAD + (long) columns.defaultSize();
    return OptionalLong.of(rows > Long.MAX_VALUE / width ? Long.MAX_VALUE : rows * width);
  }

  @Override
  public OptionalLong numRows() {
    return OptionalLong.of(rows);
  }
}
