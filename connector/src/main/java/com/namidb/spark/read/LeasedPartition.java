package com.namidb.spark.read;

import com.namidb.spark.lease.LeasedRead;
import org.apache.spark.sql.connector.read.InputPartition;

/** A partition that tells the driver when Spark looks for a place to read it. */
final class LeasedPartition implements InputPartition {
  private static final long serialVersionUID = 1L;

  private final InputPartition partition;

  /** On the driver only. */
  private final transient LeasedRead read;

  LeasedPartition(InputPartition partition, LeasedRead read) {
    this.partition = partition;
    this.read = read;
  }

  InputPartition partition() {
    return partition;
  }

  @Override
  public String[] preferredLocations() {
    if (read != null) {
      read.located();
    }
    return partition.preferredLocations();
  }
}
