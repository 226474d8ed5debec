package com.namidb.format.commit;

import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.WalSegment;
import com.namidb.format.node.NodeRow;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.EdgeCandidateWriter;
import com.namidb.format.stage.NodeCandidateWriter;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.wal.WalReplay;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns the rows of listed WAL segments into candidates with their original LSNs, as an engine
 * flush does, so that the commit can empty the list. A fold of segments already folded is not
 * repeated. Source: manifest §4.7 R3, wal §7.1.
 */
final class WalFold {
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  private final StageTarget target;
  private List<WalSegment> folded = List.of();
  private List<CandidateFile> files = List.of();

  WalFold(StageTarget target) {
    this.target = target;
  }

  /** The candidates that stand for a version's WAL: one GET per segment unless done before. */
  List<CandidateFile> of(Manifest base) {
    if (!base.walSegments().equals(folded)) {
      files = write(base);
      folded = base.walSegments();
    }
    return files;
  }

  private List<CandidateFile> write(Manifest base) {
    List<WalReplay.Segment> segments = new ArrayList<>();
    for (WalSegment s : base.walSegments()) {
      segments.add(
          new WalReplay.Segment(target.paths().wal(s.seq()), s.seq(), s.lastLsn(), s.xxh3()));
    }
    WalState state = WalReplay.of(target.store(), segments);
    List<CandidateFile> out = new ArrayList<>();
    if (state.nodeCount() > 0) {
      out.add(nodes(state, base.labels()));
    }
    for (String type : state.edgeTypes().stream().sorted().toList()) {
      if (state.edgeCount(type) > 0) {
        out.addAll(edges(state, type, base));
      }
    }
    return out;
  }

  private CandidateFile nodes(WalState state, LabelDictionary labels) {
    LabelSets sets = new LabelSets();
    NodeRow row = new NodeRow();
    try (RecordCursor in = state.nodes(sets);
        NodeCandidateWriter writer = NodeCandidateWriter.open(target, labels)) {
      while (in.next()) {
        RecordBatch b = in.batch();
        for (int i = 0; i < b.size(); i++) {
          long hi = b.keyHi()[i];
          long lo = b.keyLo()[i];
          long lsn = b.lsn()[i];
          if (b.anyTombstone() && b.tombstone()[i]) {
            row.tombstone(hi, lo, lsn);
          } else {
            row.upsert(hi, lo, lsn, state.schemaVersion(new NodeId(hi, lo)).orElse(0));
            // An id without a name means nothing today and must not come to mean something later.
            int[] ids =
                Arrays.stream(sets.ids(b.labelSet()[i]))
                    .filter(labels::knows)
                    .distinct()
                    .sorted()
                    .toArray();
            row.labels(ids, ids.length);
            properties(row, b, i);
          }
          writer.add(row);
        }
      }
      return writer.finish();
    }
  }

  private static void properties(NodeRow row, RecordBatch b, int i) {
    int at = b.payloadOffset()[i];
    int length = b.payloadLength()[i];
    boolean none =
        length == RecordBatch.NO_PAYLOAD
            || Arrays.equals(b.payload(), at, at + length, EMPTY_OBJECT, 0, 2);
    if (!none) {
      row.properties(b.payload(), at, length);
    }
  }

  private List<CandidateFile> edges(WalState state, String type, Manifest base) {
    try (RecordCursor in = state.edges(type, false);
        EdgeCandidateWriter writer = EdgeCandidateWriter.open(target, type, base.schema())) {
      while (in.next()) {
        RecordBatch b = in.batch();
        for (int i = 0; i < b.size(); i++) {
          NodeId src = new NodeId(b.keyHi()[i], b.keyLo()[i]);
          NodeId dst = new NodeId(b.partnerHi()[i], b.partnerLo()[i]);
          int length = b.payloadLength()[i];
          if (b.anyTombstone() && b.tombstone()[i]) {
            writer.addTombstone(src, dst, b.lsn()[i]);
          } else if (length == RecordBatch.NO_PAYLOAD) {
            writer.add(src, dst, b.lsn()[i], EMPTY_OBJECT, 0, EMPTY_OBJECT.length);
          } else {
            writer.add(src, dst, b.lsn()[i], b.payload(), b.payloadOffset()[i], length);
          }
        }
      }
      return writer.finish();
    }
  }
}
