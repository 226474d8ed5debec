package com.namidb.format.commit;

import com.namidb.format.edge.EdgeSstFile;
import com.namidb.format.edge.EdgeSstReader;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstDescriptor;
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

/**
 * Writes candidates again: with another LSN and other label ids, or without some rows. Source:
 * protocol §3.
 */
public final class CandidateRewrite {
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  private final StageTarget target;
  private final GraphSchema schema;
  private final LabelDictionary labels;
  private final long lsn;
  private final KeyTest keep;

  /** Chooses rows by their keys; asked once per row, in the order of the file. */
  @FunctionalInterface
  public interface KeyTest {
    /** Whether a row stays; the second id is zero for nodes. */
    boolean test(long hi, long lo, long partnerHi, long partnerLo);
  }

  /**
   * Prepares it.
   *
   * @param labels label ids of the rows written, by name
   */
  CandidateRewrite(StageTarget target, GraphSchema schema, LabelDictionary labels, long lsn) {
    this(target, schema, labels, lsn, (hi, lo, partnerHi, partnerLo) -> true);
  }

  private CandidateRewrite(
      StageTarget target, GraphSchema schema, LabelDictionary labels, long lsn, KeyTest keep) {
    this.target = target;
    this.schema = schema;
    this.labels = labels;
    this.lsn = lsn;
    this.keep = keep;
  }

  /**
   * Writes one candidate of nodes, or the forward one of edges, without some of its rows.
   *
   * @param planned label ids of the job
   * @param keep which rows stay
   * @return the new file, or both directions; empty if no row stays
   */
  public static List<CandidateFile> filtered(
      StageTarget target,
      GraphSchema schema,
      LabelDictionary planned,
      CandidateFile file,
      KeyTest keep) {
    SstDescriptor.LsnRange lsns = file.sst().lsns();
    if (lsns.min() != lsns.max()) {
      throw new IllegalStateException("all rows of a candidate have one LSN");
    }
    LabelDictionary labels = planned.extended(file.labels().values());
    return new CandidateRewrite(target, schema, labels, lsns.min(), keep).rewrite(List.of(file));
  }

  /** Rewrites all; files of the inverse direction come anew out of the forward ones. */
  List<CandidateFile> rewrite(List<CandidateFile> files) {
    List<CandidateFile> out = new ArrayList<>();
    for (CandidateFile file : files) {
      if (file.sst().kind() == SstKind.NODES) {
        out.addAll(nodes(file));
      } else if (file.sst().kind() == SstKind.EDGES_FWD) {
        out.addAll(edges(file));
      }
    }
    return out;
  }

  private List<CandidateFile> nodes(CandidateFile file) {
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
    boolean any = false;
    try (NodeSstReader reader = NodeSstReader.open(target.store(), stored);
        RecordCursor in = reader.scan(EnumSet.allOf(Column.class), KeyRanges.ALL, sets);
        NodeCandidateWriter writer = NodeCandidateWriter.open(target, labels)) {
      while (in.next()) {
        RecordBatch b = in.batch();
        for (int i = 0; i < b.size(); i++) {
          if (!keep.test(b.keyHi()[i], b.keyLo()[i], 0, 0)) {
            continue;
          }
          any = true;
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
      return any ? List.of(writer.finish()) : List.of();
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
      return writer.rows() > 0 ? writer.finish() : List.of();
    }
  }

  private void copyEdges(RecordBatch b, EdgeCandidateWriter writer) {
    for (int i = 0; i < b.size(); i++) {
      if (!keep.test(b.keyHi()[i], b.keyLo()[i], b.partnerHi()[i], b.partnerLo()[i])) {
        continue;
      }
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
