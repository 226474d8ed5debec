package com.namidb.spark.metrics;

/** Requests tasks sent to the store. */
public final class StoreRequestsMetric extends SummedMetric {
  /** For Spark, which makes it by its name. */
  public StoreRequestsMetric() {
    super("storeRequests", "requests to the store");
  }
}
