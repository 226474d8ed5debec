package com.namidb.spark.metrics;

/** How many bytes a write committed. */
public final class BytesCommittedMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public BytesCommittedMetric() {
    super("bytesCommitted", "bytes committed");
  }
}
