package com.namidb.spark.read;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.LeasedRead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/** The partitions of a scan of changes; both versions are leased as those of a plain scan. */
final class ChangesBatch implements Batch {
  private final ChangesScan scan;
  private final ChangesShape shape;
  private final List<LeasedRead> reads;

  ChangesBatch(ChangesScan scan, ChangesShape shape) {
    this.scan = scan;
    this.shape = shape;
    this.reads = scan.leased();
  }

  @Override
  public InputPartition[] planInputPartitions() {
    // New objects, so that each execution owns its own.
    InputPartition[] partitions =
        scan.plan().partitions().stream()
            .map(p -> new ChangesPartition(p.slice(), p.edgeType()))
            .toArray(InputPartition[]::new);
    if (partitions.length > 0) {
      for (LeasedRead read : reads) {
        read.planned();
        partitions =
            Arrays.stream(partitions)
                .map(p -> new LeasedPartition(p, read))
                .toArray(InputPartition[]::new);
      }
    }
    return partitions;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    ChangesSource source = shape.source();
    Snapshot to = source.to();
    ReadSpec spec =
        new ReadSpec(
            to.location().store(),
            to.location().paths().namespace(),
            to.version(),
            new ArrayList<>(scan.plan().labels()),
            shape.columns(),
            source.reading().onMismatch(),
            source.from().version());
    PartitionReaderFactory readers = new ChangesReaderFactory(spec, source.reading().vectorized());
    for (LeasedRead read : reads) {
      readers = new LeasedReaderFactory(readers, read);
    }
    return shape.limit() < 0 ? readers : new LimitedReaderFactory(readers, shape.limit());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ChangesBatch b && shape.equals(b.shape);
  }

  @Override
  public int hashCode() {
    return shape.hashCode();
  }
}
