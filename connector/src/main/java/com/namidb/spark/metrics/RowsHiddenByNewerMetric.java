package com.namidb.spark.metrics;

/** Rows hidden because a newer version of their key lives in another source. */
public final class RowsHiddenByNewerMetric extends SummedMetric {
  /** For Spark, which makes it by its name. */
  public RowsHiddenByNewerMetric() {
    super("rowsHiddenByNewer", "rows hidden by newer versions");
  }
}
