package com.namidb.spark.metadata;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.snapshot.Operation;
import com.namidb.format.snapshot.VersionSummary;
import com.namidb.format.stage.StagedJob;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code snapshots}: the versions of a namespace, newest first. One GET per version, so a LIMIT
 * without a filter spares work; if the column {@code operation} is asked for, one more for each
 * version that this connector committed. Contract §8.
 */
final class SnapshotsTable {
  private static final String OPERATION = "operation";

  static final StructType SCHEMA =
      new StructType()
          .add("version", DataTypes.LongType, false)
          .add("epoch", DataTypes.LongType, false)
          .add("committed_at", DataTypes.TimestampType, false)
          .add("writer_id", DataTypes.StringType, false)
          .add(OPERATION, DataTypes.StringType, true)
          .add("is_current", DataTypes.BooleanType, false)
          .add("readable", DataTypes.BooleanType, false)
          .add("node_ssts", DataTypes.IntegerType, false)
          .add("edge_ssts", DataTypes.IntegerType, false)
          .add("other_ssts", DataTypes.IntegerType, false)
          .add("node_rows", DataTypes.LongType, false)
          .add("edge_rows", DataTypes.LongType, false)
          .add("tombstones", DataTypes.LongType, false)
          .add("sst_bytes", DataTypes.LongType, false)
          .add("wal_segments", DataTypes.IntegerType, false);

  private SnapshotsTable() {}

  static List<InternalRow> rows(OpenNamespace opened, RowMaker.Asked asked) {
    boolean operations = asked.columns().contains(OPERATION);
    List<InternalRow> out = new ArrayList<>();
    for (VersionSummary v : opened.namespace().history().newest(asked.limit())) {
      VersionSummary.Counts counts = v.counts();
      out.add(
          Cells.row(
              v.ref().version(),
              v.ref().epoch(),
              v.committedAtMicros(),
              v.ref().writerId(),
              operations ? operation(v, opened) : null,
              v.isCurrent(),
              v.isReadable(),
              counts.nodeSsts(),
              counts.edgeSsts(),
              counts.otherSsts(),
              counts.nodeRows(),
              counts.edgeRows(),
              counts.tombstones(),
              counts.sstBytes(),
              counts.walSegments()));
    }
    return out;
  }

  /** What the commit did, by its receipt if it has one that can be read. */
  private static String operation(VersionSummary v, OpenNamespace opened) {
    if (v.operation().isEmpty()) {
      return null;
    }
    Operation seen = v.operation().get();
    return v.job()
        .filter(job -> seen == Operation.LOAD && StagedJob.isName(job))
        .flatMap(job -> receipt(job, opened))
        .filter(r -> r.version() == v.ref().version() && r.writer().equals(v.ref().writerId()))
        .map(CommitReceipt::operation)
        .orElse(seen.text());
  }

  private static Optional<CommitReceipt> receipt(String job, OpenNamespace opened) {
    try {
      return CommitReceipt.stored(opened.store(), opened.location().paths(), job);
    } catch (CorruptObjectException e) {
      // The procedure check tells of it; the history is no worse for it.
      return Optional.empty();
    }
  }
}
