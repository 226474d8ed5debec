package com.namidb.spark.metrics;

/** Units of reading. */
public final class SlicesMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public SlicesMetric() {
    super("slices", "slices");
  }
}
