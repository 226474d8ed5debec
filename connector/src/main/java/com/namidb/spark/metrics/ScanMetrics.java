package com.namidb.spark.metrics;

import com.namidb.format.scan.ScanPlan;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The metrics of a scan. */
public final class ScanMetrics {
  private ScanMetrics() {}

  /** All of them, those of tasks first. */
  public static CustomMetric[] all() {
    return new CustomMetric[] {
      new RowsReadMetric(),
      new RowsHiddenByNewerMetric(),
      new RowsHiddenByTombstoneMetric(),
      new ValuesNulledMetric(),
      new StoreRequestsMetric(),
      new StoreBytesMetric(),
      new SnapshotIdMetric(),
      new SstsPrunedMetric(),
      new SstsCleanMetric(),
      new SstsMergedMetric(),
      new DeleteFilesMetric(),
      new WalRowsMetric(),
      new SlicesMetric(),
      new PlanningMillisMetric()
    };
  }

  /**
   * What the driver knows once a scan is planned.
   *
   * @param version the snapshot id
   * @param slices how many there are
   * @param millis planning time
   */
  public static CustomTaskMetric[] ofDriver(
      long version, ScanPlan.Summary summary, int slices, long millis) {
    return new CustomTaskMetric[] {
      new DriverCount("snapshotId", version),
      new DriverCount("sstsPruned", summary.pruned()),
      new DriverCount("sstsClean", summary.clean()),
      new DriverCount("sstsMerged", summary.merged()),
      new DriverCount("deleteFiles", summary.deleteFiles()),
      new DriverCount("walRows", summary.walRows()),
      new DriverCount("slices", slices),
      new DriverCount("planningMillis", millis)
    };
  }

  private record DriverCount(String name, long value) implements CustomTaskMetric {}
}
