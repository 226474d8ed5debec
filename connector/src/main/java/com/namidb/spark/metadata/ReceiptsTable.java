package com.namidb.spark.metadata;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.spark.job.Jobs;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code receipts}: proofs of commits made here, newest first, as far as their folders are kept.
 * One LIST of the folders below {@code bulk/} per thousand of them, and one GET per folder; nothing
 * of it grows with the graph. Contract §8.
 */
final class ReceiptsTable {
  private static final long MICROS = 1_000;

  static final StructType SCHEMA =
      new StructType()
          .add("job_id", DataTypes.StringType, false)
          .add("snapshot_before", DataTypes.LongType, false)
          .add("snapshot_id", DataTypes.LongType, false)
          .add("committed_at", DataTypes.TimestampType, false)
          .add("writer_id", DataTypes.StringType, false)
          .add("operation", DataTypes.StringType, false)
          .add("source_rows", DataTypes.LongType, false)
          .add("accepted_rows", DataTypes.LongType, false)
          .add("quarantined_rows", DataTypes.LongType, false)
          .add("node_rows", DataTypes.LongType, false)
          .add("edge_rows", DataTypes.LongType, false)
          .add("deleted_nodes", DataTypes.LongType, false)
          .add("deleted_edges", DataTypes.LongType, false)
          .add("node_checksum", DataTypes.StringType, false)
          .add("edge_checksum", DataTypes.StringType, false)
          .add("files", DataTypes.IntegerType, false)
          .add("bytes", DataTypes.LongType, false)
          .add("attempts", DataTypes.IntegerType, false)
          .add("warnings", DataTypes.createArrayType(DataTypes.StringType, false), false);

  private ReceiptsTable() {}

  static List<InternalRow> rows(OpenNamespace opened) {
    List<CommitReceipt> receipts = Jobs.of(opened).receipts();
    receipts.sort((a, b) -> Long.compareUnsigned(b.version(), a.version()));
    List<InternalRow> out = new ArrayList<>();
    for (CommitReceipt r : receipts) {
      out.add(
          Cells.row(
              r.job(),
              r.base(),
              r.version(),
              r.committedMillis() * MICROS,
              r.writer(),
              r.operation(),
              r.balance().source(),
              r.balance().accepted(),
              r.balance().quarantined(),
              r.nodes().count(),
              r.edges().count(),
              r.deletedNodes(),
              r.deletedEdges(),
              r.nodes().text(),
              r.edges().text(),
              r.files().size(),
              r.bytes(),
              r.attempts(),
              r.warnings()));
    }
    return out;
  }
}
