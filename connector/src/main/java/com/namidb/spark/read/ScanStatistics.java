package com.namidb.spark.read;

import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.StructType;

/**
 * What the optimizer learns of a scan.
 *
 * @param rows upper bound of its rows
 * @param columns its columns: their default widths give a size, because SSTs are compressed and
 *     their sizes alone would make Spark broadcast too much
 * @param bytes what the rows take in SSTs if their properties are read, else 0: default widths know
 *     nothing of long values
 * @param columnStats what is known of columns
 */
record ScanStatistics(
    long rows, StructType columns, long bytes, Map<NamedReference, ColumnStatistics> columnStats)
    implements Statistics {
  private static final int ROW_OVERHEAD = 8;

  @Override
  public OptionalLong sizeInBytes() {
    long width = ROW_OVERHEAD + (long) columns.defaultSize();
    long byWidth = rows > Long.MAX_VALUE / width ? Long.MAX_VALUE : rows * width;
    return OptionalLong.of(Math.max(byWidth, bytes));
  }

  @Override
  public OptionalLong numRows() {
    return OptionalLong.of(rows);
  }
}
