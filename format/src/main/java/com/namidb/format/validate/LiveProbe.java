package com.namidb.format.validate;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The keys of one candidate against the live rows of one version, or of two. */
final class LiveProbe implements KeyProbe {
  private static final long serialVersionUID = 1L;
  private static final long ABSENT = -1;

  private final NamespacePaths paths;
  private final NewSst sst;
  private final Question question;
  private final ArrayList<ScanSlice> now;
  private final ArrayList<ScanSlice> before;

  /**
   * Prepares a piece.
   *
   * @param now rows of the version to be committed on that may have these keys
   * @param before those of the version read, for {@link Question#SAME_WINNER}; those with the label
   *     for {@link Question#LABELLED}
   */
  LiveProbe(
      NamespacePaths paths,
      NewSst sst,
      Question question,
      List<ScanSlice> now,
      List<ScanSlice> before) {
    this.paths = paths;
    this.sst = sst;
    this.question = question;
    this.now = new ArrayList<>(now);
    this.before = new ArrayList<>(before);
  }

  @Override
  public List<String> run(ObjectStore store, int limit) {
    boolean pairs =
        (question == Question.NEW || question == Question.SAME_WINNER) && !sst.scope().isEmpty();
    StagedKeys keys = StagedKeys.load(store, paths, sst, pairs);
    long[] lsns = winners(store, keys, now);
    boolean twice = question == Question.SAME_WINNER || question == Question.LABELLED;
    long[] old = twice ? winners(store, keys, before) : lsns;
    List<String> out = new ArrayList<>();
    for (int i = 0; i < keys.size() && out.size() < limit; i++) {
      boolean live = lsns[i] != ABSENT;
      boolean wrong =
          switch (question) {
            case NEW, NO_EDGE_FROM, NO_EDGE_TO -> live;
            case ENDS_EXIST -> !live;
            case LABELLED, SAME_WINNER -> lsns[i] != old[i];
          };
      if (wrong) {
        out.add(word(keys.text(i)));
      }
    }
    return out;
  }

  private String word(String key) {
    return switch (question) {
      case NEW -> BrokenRule.EXISTS.by((sst.scope().isEmpty() ? "node " : "edge ") + key);
      case LABELLED -> BrokenRule.NOT_LABELLED.by("node " + key);
      case ENDS_EXIST -> BrokenRule.NO_END.by("node " + key);
      case NO_EDGE_FROM, NO_EDGE_TO -> BrokenRule.EDGES_LEFT.by("node " + key);
      case SAME_WINNER -> key;
    };
  }

  /** LSN of the live row of each key. */
  private long[] winners(ObjectStore store, StagedKeys keys, List<ScanSlice> slices) {
    long[] out = new long[keys.size()];
    Arrays.fill(out, ABSENT);
    for (ScanSlice slice : slices) {
      try (SliceReader rows = SliceReader.open(slice, store)) {
        while (rows.next()) {
          mark(rows.batch(), rows.selection(), keys, out);
        }
      }
    }
    return out;
  }

  private void mark(RecordBatch b, Selection live, StagedKeys keys, long[] out) {
    boolean to = question == Question.NO_EDGE_TO;
    for (int i = 0; i < live.size(); i++) {
      int row = live.row(i);
      NodeId other = b.edges() ? new NodeId(b.partnerHi()[row], b.partnerLo()[row]) : NodeId.MIN;
      int at =
          to
              ? keys.find(other.hi(), other.lo(), 0, 0)
              : keys.find(b.keyHi()[row], b.keyLo()[row], other.hi(), other.lo());
      if (at >= 0) {
        out[at] = b.lsn()[row];
      }
    }
  }
}
