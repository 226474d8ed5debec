package com.namidb.spark.metrics;

import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The metrics of a write, known once it is committed. */
public final class WriteMetrics {
  private WriteMetrics() {}

  /** All of them. */
  public static CustomMetric[] all() {
    return new CustomMetric[] {
      new SnapshotIdMetric(),
      new RowsCommittedMetric(),
      new RowsQuarantinedMetric(),
      new FilesCommittedMetric(),
      new BytesCommittedMetric()
    };
  }

  /**
   * What a commit tells.
   *
   * @param version the snapshot id it became
   */
  public static CustomTaskMetric[] of(
      long version, long rows, long quarantined, long files, long bytes) {
    return new CustomTaskMetric[] {
      new Count("snapshotId", version),
      new Count("rowsCommitted", rows),
      new Count("rowsQuarantined", quarantined),
      new Count("filesCommitted", files),
      new Count("bytesCommitted", bytes)
    };
  }

  private record Count(String name, long value) implements CustomTaskMetric {}
}
