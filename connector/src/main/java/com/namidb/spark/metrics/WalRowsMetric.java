package com.namidb.spark.metrics;

/** Rows of the table in the WAL. */
public final class WalRowsMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public WalRowsMetric() {
    super("walRows", "rows in the WAL");
  }
}
