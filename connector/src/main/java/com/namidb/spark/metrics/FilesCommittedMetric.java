package com.namidb.spark.metrics;

/** How many files a write committed. */
public final class FilesCommittedMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public FilesCommittedMetric() {
    super("filesCommitted", "files committed");
  }
}
