package com.namidb.spark.metrics;

/** SSTs of the table that no slice reads. */
public final class SstsPrunedMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public SstsPrunedMetric() {
    super("sstsPruned", "SSTs not read");
  }
}
