package com.namidb.spark.metrics;

/** Winners that are tombstones. */
public final class RowsHiddenByTombstoneMetric extends SummedMetric {
  /** For Spark, which makes it by its name. */
  public RowsHiddenByTombstoneMetric() {
    super("rowsHiddenByTombstone", "rows hidden by tombstones");
  }
}
