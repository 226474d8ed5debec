package com.namidb.spark.metadata;

import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Operation;
import com.namidb.format.snapshot.VersionSummary;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code snapshots}: the versions of a namespace, newest first. One GET per version, so a LIMIT
 * without a filter spares work. Contract §8.
 */
final class SnapshotsTable {
  static final StructType SCHEMA =
      new StructType()
          .add("version", DataTypes.LongType, false)
          .add("epoch", DataTypes.LongType, false)
          .add("committed_at", DataTypes.TimestampType, false)
          .add("writer_id", DataTypes.StringType, false)
          .add("operation", DataTypes.StringType, true)
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

  static List<InternalRow> rows(Namespace namespace, int limit) {
    List<InternalRow> out = new ArrayList<>();
    for (VersionSummary v : namespace.history().newest(limit)) {
      VersionSummary.Counts counts = v.counts();
      out.add(
          Cells.row(
              v.ref().version(),
              v.ref().epoch(),
              v.committedAtMicros(),
              v.ref().writerId(),
              v.operation().map(Operation::text).orElse(null),
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
}
