package com.namidb.spark.metrics;

/** SSTs of tombstones only. */
public final class DeleteFilesMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public DeleteFilesMetric() {
    super("deleteFiles", "delete files applied");
  }
}
