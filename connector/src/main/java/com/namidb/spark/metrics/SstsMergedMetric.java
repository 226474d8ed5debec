package com.namidb.spark.metrics;

/** SSTs read with shadows. */
public final class SstsMergedMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public SstsMergedMetric() {
    super("sstsMerged", "SSTs merged with newer ones");
  }
}
