package com.namidb.spark.metrics;

/** How many rows a write set aside. */
public final class RowsQuarantinedMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public RowsQuarantinedMetric() {
    super("rowsQuarantined", "rows quarantined");
  }
}
