package com.namidb.spark.read;

import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.Objects;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/**
 * The partitions of one execution of a scan; the version's lease is taken when they are planned.
 */
final class NamiBatch implements Batch {
  private final NamiScan scan;
  private final ScanShape shape;
  private final Pushdown narrowed;

  NamiBatch(NamiScan scan, ScanShape shape, Pushdown narrowed) {
    this.scan = scan;
    this.shape = shape;
    this.narrowed = narrowed;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    Snapshot snapshot = shape.source().snapshot();
    SlicePartition[] partitions = scan.planFor(narrowed).partitions();
    if (shape.source().reading().pin() && partitions.length > 0) {
      QueryLeases.hold(snapshot, OpenNamespace.at(snapshot.location()), partitions[0]);
    }
    return partitions;
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
