package com.namidb.spark.lease;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Says, in the order of Spark's own events, that the stage submitted last reads a version.
 *
 * @param read what it reads
 * @param needed whether it has partitions that no cache holds
 */
record ReadStarts(LeasedRead read, boolean needed) implements SparkListenerEvent {
  /** Event logs know nothing of it. */
  @Override
  public boolean logEvent() {
    return false;
  }
}
