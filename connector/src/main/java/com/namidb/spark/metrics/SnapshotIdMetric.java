package com.namidb.spark.metrics;

/** The version read. */
public final class SnapshotIdMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public SnapshotIdMetric() {
    super("snapshotId", "snapshot id");
  }
}
