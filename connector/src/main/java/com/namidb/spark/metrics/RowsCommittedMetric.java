package com.namidb.spark.metrics;

/** How many rows a write committed. */
public final class RowsCommittedMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public RowsCommittedMetric() {
    super("rowsCommitted", "rows committed");
  }
}
