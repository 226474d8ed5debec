package com.namidb.spark.metrics;

/** Bytes tasks received from the store. */
public final class StoreBytesMetric extends SummedMetric {
  /** For Spark, which makes it by its name. */
  public StoreBytesMetric() {
    super("storeBytes", "bytes read from the store");
  }
}
