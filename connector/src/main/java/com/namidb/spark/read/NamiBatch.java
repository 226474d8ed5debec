package com.namidb.spark.read;

import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.LeasedRead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/**
 * The partitions of a scan; the version's lease is taken when they are planned, and again when they
 * are read later than that.
 */
final class NamiBatch implements Batch {
  private final NamiScan scan;
  private final ScanShape shape;
  private final Pushdown narrowed;

  /** {@code null} without leases. */
  private final LeasedRead read;

  NamiBatch(NamiScan scan, ScanShape shape, Pushdown narrowed) {
    this.scan = scan;
    this.shape = shape;
    this.narrowed = narrowed;
    this.read = scan.leased();
  }

  @Override
  public InputPartition[] planInputPartitions() {
    InputPartition[] partitions = scan.planFor(narrowed).partitions();
    if (read == null || partitions.length == 0) {
      return partitions;
    }
    read.planned();
    return Arrays.stream(partitions)
        .map(p -> new LeasedPartition(p, read))
        .toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    TableSource source = shape.source();
    Snapshot snapshot = source.snapshot();
    ReadSpec spec =
        new ReadSpec(
            snapshot.location().store(),
            snapshot.location().paths().namespace(),
            snapshot.version(),
            new ArrayList<>(ScanPlanner.labels(snapshot.manifest()).names()),
            shape.columns(),
            source.reading().onMismatch());
    PartitionReaderFactory readers = new SliceReaderFactory(spec, source.reading().vectorized());
    if (read != null) {
      readers = new LeasedReaderFactory(readers, read);
    }
    return shape.limit() < 0 ? readers : new LimitedReaderFactory(readers, shape.limit());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NamiBatch b && shape.equals(b.shape) && narrowed.equals(b.narrowed);
  }

  @Override
  public int hashCode() {
    return Objects.hash(shape, narrowed);
  }
}
