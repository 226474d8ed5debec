package com.namidb.spark.read;

import com.namidb.format.error.NamiException;
import com.namidb.format.scan.DiffPlan;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.LeasedRead;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.metrics.ScanMetrics;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;

/**
 * A scan of the changes between two versions. Plans once, when its statistics, its description or
 * its partitions are first needed. Equal if it gives the same rows in the same form.
 */
final class ChangesScan implements Scan, SupportsReportStatistics {
  private final ChangesShape shape;
  private PlannedChanges plan;
  private List<LeasedRead> leased;

  ChangesScan(ChangesShape shape) {
    this.shape = shape;
  }

  @Override
  public StructType readSchema() {
    return shape.columns();
  }

  synchronized PlannedChanges plan() {
    if (plan == null) {
      plan = PlannedChanges.of(shape);
    }
    return plan;
  }

  @Override
  public String description() {
    try {
      return describe(plan().summary());
    } catch (NamiException e) {
      // Only a text for people: the query itself will fail with this error.
      return "not planned: " + e.getMessage();
    }
  }

  private String describe(DiffPlan.Summary s) {
    ChangesSource source = shape.source();
    Reading reading = source.reading();
    List<String> parts = new ArrayList<>();
    parts.add(
        "changes=%s..%s"
            .formatted(
                Long.toUnsignedString(source.from().version()),
                Long.toUnsignedString(source.to().version())));
    parts.add(
        "ssts=%d (pruned %d, differing %d, shared %d)"
            .formatted(s.ssts(), s.pruned(), s.differing(), s.shared()));
    parts.add("differing wal records=" + s.walRecords() + " (" + Words.of(reading.wal()) + ")");
    parts.add("slices=" + plan().partitions().size());
    parts.add("pushed=[" + String.join(", ", shape.pushed().describe()) + "]");
    if (shape.limit() >= 0) {
      parts.add("limit=" + shape.limit());
    }
    parts.add("pin=" + (reading.pin() ? "auto" : "off"));
    return String.join(", ", parts);
  }

  @Override
  public Statistics estimateStatistics() {
    return new ScanStatistics(plan().summary().rows(), shape.columns(), 0, Map.of());
  }

  /** A lease for each version, the earlier one first; none with {@code pin=off}. */
  synchronized List<LeasedRead> leased() {
    if (leased == null) {
      leased =
          shape.source().reading().pin()
              ? Stream.of(shape.source().from(), shape.source().to())
                  .map(ChangesScan::lease)
                  .toList()
              : List.of();
    }
    return leased;
  }

  private static LeasedRead lease(Snapshot snapshot) {
    return QueryLeases.read(snapshot, OpenNamespace.at(snapshot.location()));
  }

  @Override
  public Batch toBatch() {
    return new ChangesBatch(this, shape);
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    PlannedChanges p = plan();
    return ScanMetrics.ofDriver(
        shape.source().to().version(), p.asScan(), p.partitions().size(), p.millis());
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return shape.source().reading().vectorized()
        ? ColumnarSupportMode.SUPPORTED
        : ColumnarSupportMode.UNSUPPORTED;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ChangesScan s && shape.equals(s.shape);
  }

  @Override
  public int hashCode() {
    return shape.hashCode();
  }

  @Override
  public String toString() {
    return "namidb " + shape.source().name() + ": " + description();
  }
}
