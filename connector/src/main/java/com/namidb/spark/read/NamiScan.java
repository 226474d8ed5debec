package com.namidb.spark.read;

import com.namidb.format.error.NamiException;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlan;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.LeasedRead;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.metrics.ScanMetrics;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportOrdering;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.types.StructType;

/**
 * A scan of one table at one version. Plans once, when its statistics, its description or its
 * partitions are first needed. Equal if it gives the same rows in the same form.
 */
final class NamiScan
    implements Scan, SupportsReportStatistics, SupportsReportOrdering, SupportsRuntimeV2Filtering {
  private final ScanShape shape;
  private PlannedScan plan;
  private PlannedScan lastRun;
  private LeasedRead leased;

  /** Run-time filters that wait for the {@link #toBatch} of the thread that brought them. */
  private final Map<Thread, Pushdown> runtime = new WeakHashMap<>();

  NamiScan(ScanShape shape) {
    this.shape = shape;
  }

  @Override
  public StructType readSchema() {
    return shape.columns();
  }

  /** The plan without run-time filters. */
  synchronized PlannedScan plan() {
    if (plan == null) {
      plan = PlannedScan.of(shape, shape.pushed());
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

  private String describe(ScanPlan.Summary s) {
    Reading reading = shape.source().reading();
    List<String> parts = new ArrayList<>();
    parts.add("snapshot=" + Long.toUnsignedString(shape.source().snapshot().version()));
    parts.add(
        "ssts=%d (pruned %d, clean %d, merged %d, delete files %d)"
            .formatted(s.ssts(), s.pruned(), s.clean(), s.merged(), s.deleteFiles()));
    parts.add("wal rows=" + s.walRows() + " (" + Words.of(reading.wal()) + ")");
    parts.add("slices=" + plan().slices().size());
    parts.add("pushed=[" + String.join(", ", shape.pushed().describe()) + "]");
    if (!shape.filters().isEmpty()) {
      parts.add("ssts without a row for the filters=" + plan().settled());
    }
    if (shape.limit() >= 0) {
      parts.add("limit=" + shape.limit());
    }
    parts.add("pin=" + (reading.pin() ? "auto" : "off"));
    return String.join(", ", parts);
  }

  @Override
  public Statistics estimateStatistics() {
    ScanPlan.Summary s = plan().summary();
    // Ids, labels and LSNs have widths that are known; of properties only the SSTs' size is.
    boolean properties = shape.recordColumns().contains(Column.PAYLOAD);
    return new ScanStatistics(
        s.rows(),
        shape.columns(),
        properties ? s.rowBytes() : 0,
        ColumnFigures.of(shape, s.rows()));
  }

  @Override
  public SortOrder[] outputOrdering() {
    return ScanOrder.expressions(reportedOrder());
  }

  private List<String> reportedOrder() {
    try {
      return ScanOrder.reported(shape, plan());
    } catch (NamiException e) {
      // The query itself will fail with this error.
      return List.of();
    }
  }

  @Override
  public NamedReference[] filterAttributes() {
    if (!shape.source().reading().pushdown()) {
      return new NamedReference[0];
    }
    List<String> present = List.of(shape.columns().fieldNames());
    return shape.pushed().names().stream()
        .filter(present::contains)
        .map(Expressions::column)
        .toArray(NamedReference[]::new);
  }

  /**
   * Keeps run-time filters for this thread's next {@link #toBatch} only: Spark calls the two in a
   * row on one thread, and a scan that appears twice in a query, perhaps planned by two threads at
   * once, must not hand one place's filters to the other.
   */
  @Override
  public synchronized void filter(Predicate[] predicates) {
    // What cannot be taken is tested by the join anyway.
    runtime.put(Thread.currentThread(), shape.pushed().with(predicates).pushdown());
  }

  @Override
  public synchronized Batch toBatch() {
    Optional<Pushdown> narrowed = Optional.ofNullable(runtime.remove(Thread.currentThread()));
    return new NamiBatch(this, shape, narrowed.orElse(shape.pushed()));
  }

  /** What is leased while partitions of this scan are read; {@code null} without leases. */
  synchronized LeasedRead leased() {
    if (leased == null && shape.source().reading().pin()) {
      Snapshot snapshot = shape.source().snapshot();
      leased = QueryLeases.read(snapshot, OpenNamespace.at(snapshot.location()));
    }
    return leased;
  }

  /** Plans for an execution; the plan is what driver metrics tell about. */
  PlannedScan planFor(Pushdown narrowed) {
    PlannedScan run = narrowed.equals(shape.pushed()) ? plan() : PlannedScan.of(shape, narrowed);
    List<String> order = reportedOrder();
    boolean anyOrder = order.isEmpty() || run.slices().isEmpty();
    if (!anyOrder && !ScanOrder.of(shape, run).equals(order)) {
      // What was reported must hold; the join tests the other rows anyway.
      run = plan();
    }
    synchronized (this) {
      lastRun = run;
    }
    return run;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    PlannedScan run;
    synchronized (this) {
      run = lastRun;
    }
    PlannedScan told = run != null ? run : plan();
    return ScanMetrics.ofDriver(
        shape.source().snapshot().version(), told.summary(), told.slices().size(), told.millis());
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return shape.source().reading().vectorized()
        ? ColumnarSupportMode.SUPPORTED
        : ColumnarSupportMode.UNSUPPORTED;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NamiScan s && shape.equals(s.shape);
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
