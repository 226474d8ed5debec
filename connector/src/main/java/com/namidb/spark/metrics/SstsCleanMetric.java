package com.namidb.spark.metrics;

/** SSTs read without shadows. */
public final class SstsCleanMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public SstsCleanMetric() {
    super("sstsClean", "SSTs read alone");
  }
}
