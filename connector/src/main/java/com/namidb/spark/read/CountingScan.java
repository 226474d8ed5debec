package com.namidb.spark.read;

import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.LeasedRead;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.metrics.ScanMetrics;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;

/**
 * An answer of which metadata gives one part, and tasks count the rows of the slices that are left.
 * Spark adds the parts up.
 */
final class CountingScan implements Scan, Batch {
  private final AggregateScan known;

  /** {@code null} without leases. */
  private LeasedRead leased;

  CountingScan(AggregateScan known) {
    this.known = known;
  }

  @Override
  public StructType readSchema() {
    return known.readSchema();
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    List<InputPartition> out = new ArrayList<>();
    out.add(new KnownRows(known.answer().rows()));
    LeasedRead read = read();
    for (PlannedScan.Typed t : known.answer().rest()) {
      InputPartition slice = new SlicePartition(t.slice(), t.edgeType());
      out.add(read == null ? slice : new LeasedPartition(slice, read));
    }
    if (read != null) {
      read.planned();
    }
    return out.toArray(InputPartition[]::new);
  }

  private synchronized LeasedRead read() {
    if (leased == null && known.source().reading().pin()) {
      Snapshot snapshot = known.source().snapshot();
      leased = QueryLeases.read(snapshot, OpenNamespace.at(snapshot.location()));
    }
    return leased;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    TableSource source = known.source();
    Snapshot snapshot = source.snapshot();
    ReadSpec spec =
        new ReadSpec(
            snapshot.location().store(),
            snapshot.location().paths().namespace(),
            snapshot.version(),
            new ArrayList<>(ScanPlanner.labels(snapshot.manifest()).names()),
            new StructType(),
            source.reading().onMismatch());
    PartitionReaderFactory slices = new SliceReaderFactory(spec, true);
    LeasedRead read = read();
    return new CountingReaderFactory(
        read == null ? slices : new LeasedReaderFactory(slices, read), known.asked());
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.UNSUPPORTED;
  }

  @Override
  public String description() {
    return known.description().replace("answered", "partly answered")
        + ", slices to count="
        + known.answer().rest().size();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CountingScan s && known.equals(s.known);
  }

  @Override
  public int hashCode() {
    return known.hashCode();
  }

  @Override
  public String toString() {
    return "namidb " + known.source().name() + ": " + description();
  }

  /**
   * Rows that are known before anything is read.
   *
   * @param rows in the form of the answer
   */
  record KnownRows(ArrayList<InternalRow> rows) implements InputPartition {
    KnownRows(List<InternalRow> rows) {
      this(new ArrayList<>(rows));
    }
  }
}
