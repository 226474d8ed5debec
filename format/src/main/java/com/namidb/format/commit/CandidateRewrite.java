package com.namidb.format.commit;

import com.namidb.format.edge.EdgeSstFile;
import com.namidb.format.edge.EdgeSstReader;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.node.NodeRow;
import com.namidb.format.node.NodeSstFile;
import com.namidb.format.node.NodeSstReader;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.EdgeCandidateWriter;
import com.namidb.format.stage.NodeCandidateWriter;
import com.namidb.format.stage.StageTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/** Writes candidates again with another LSN and other label ids. Source: protocol §3. */
final class CandidateRewrite {
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  private final StageTarget target;
  private final GraphSchema schema;
  private final LabelDictionary labels;
  private final long lsn;

  /**
   * Prepares it.
   *
   * @param labels label ids of the rows written, by name
   */
  CandidateRewrite(StageTarget target, GraphSchema schema, LabelDictionary labels, long lsn) {
    this.target = target;
    this.schema = schema;
    this.labels = labels;
    this.lsn = lsn;
  }

  /** Rewrites all; files of the inverse direction come anew out of the forward ones. */
  List<CandidateFile> rewrite(List<CandidateFile> files) {
    List<CandidateFile> out = new ArrayList<>();
    for (CandidateFile file : files) {
      if (file.sst().kind() == SstKind.NODES) {
        out.add(nodes(file));
      } else if (file.sst().kind() == SstKind.EDGES_FWD) {
        out.addAll(edges(file));
      }
    }
    return out;
  }

  private CandidateFile nodes(CandidateFile file) {
    NewSst sst = file.sst();
    LabelSets sets = new LabelSets();
    NodeSstFile stored =
        new NodeSstFile(
            target.paths().object(sst.path()),
            sst.sizeBytes(),
            sst.counts().rows(),
            sst.counts().tombstones() > 0,
            sst.keys(),
            sst.lsns().min(),
            sst.lsns().max(),
            null);
    NodeRow row = new NodeRow();
    try (NodeSstReader reader = NodeSstReader.open(target.store(), stored);
        RecordCursor in = reader.scan(EnumSet.allOf(Column.class), KeyRanges.ALL, sets);
        NodeCandidateWriter writer = NodeCandidateWriter.open(target, labels)) {
      while (in.next()) {
        RecordBatch b = in.batch();
        for (int i = 0; i < b.size(); i++) {
          if (b.anyTombstone() && b.tombstone()[i]) {
            row.tombstone(b.keyHi()[i], b.keyLo()[i], lsn);
          } else {
            row.upsert(b.keyHi()[i], b.keyLo()[i], lsn, sst.schemaVersions().max());
            int[] ids = renamed(sets.ids(b.labelSet()[i]), file);
            row.labels(ids, ids.length);
            if (b.payloadLength()[i] != RecordBatch.NO_PAYLOAD) {
              row.properties(b.payload(), b.payloadOffset()[i], b.payloadLength()[i]);
            }
          }
          writer.add(row);
        }
      }
      return writer.finish();
    }
  }

  private int[] renamed(int[] ids, CandidateFile file) {
    return Arrays.stream(ids)
        .map(id -> labels.id(file.labels().get(id)).orElseThrow())
        .distinct()
        .sorted()
        .toArray();
  }

  private List<CandidateFile> edges(CandidateFile file) {
    NewSst sst = file.sst();
    EdgeSstFile stored =
        new EdgeSstFile(
            target.paths().object(sst.path()),
            sst.sizeBytes(),
            sst.counts().rows(),
            sst.id(),
            List.of());
    try (EdgeSstReader reader = EdgeSstReader.open(target.store(), stored);
        RecordCursor in = reader.scan(EnumSet.allOf(Column.class), KeyRanges.ALL);
        EdgeCandidateWriter writer = EdgeCandidateWriter.open(target, sst.scope(), schema)) {
      while (in.next()) {
        copyEdges(in.batch(), writer);
      }
      return writer.finish();
    }
  }

  private void copyEdges(RecordBatch b, EdgeCandidateWriter writer) {
    for (int i = 0; i < b.size(); i++) {
      NodeId src = new NodeId(b.keyHi()[i], b.keyLo()[i]);
      NodeId dst = new NodeId(b.partnerHi()[i], b.partnerLo()[i]);
      int length = b.payloadLength()[i];
      if (b.anyTombstone() && b.tombstone()[i]) {
        writer.addTombstone(src, dst, lsn);
      } else if (length == RecordBatch.NO_PAYLOAD) {
        writer.add(src, dst, lsn, EMPTY_OBJECT, 0, EMPTY_OBJECT.length);
      } else {
        writer.add(src, dst, lsn, b.payload(), b.payloadOffset()[i], length);
      }
    }
  }
}
