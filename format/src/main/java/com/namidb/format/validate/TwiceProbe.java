package com.namidb.format.validate;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.stage.CandidateKeys;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Merges the keys of files that overlap, within one key range, and finds keys that come twice. */
final class TwiceProbe implements KeyProbe {
  private static final long serialVersionUID = 1L;

  private final NamespacePaths paths;
  private final ArrayList<NewSst> files;
  private final KeyRange range;

  TwiceProbe(NamespacePaths paths, List<NewSst> files, KeyRange range) {
    this.paths = paths;
    this.files = new ArrayList<>(files);
    this.range = range;
  }

  @Override
  public List<String> run(ObjectStore store, int limit) {
    List<String> out = new ArrayList<>();
    List<Head> open = new ArrayList<>();
    try {
      PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.naturalOrder());
      for (NewSst sst : files) {
        Head head = new Head(CandidateKeys.open(store, paths, sst, KeyRanges.of(range)), range);
        open.add(head);
        if (head.advance()) {
          heads.add(head);
        }
      }
      String last = null;
      Head top = heads.poll();
      while (top != null && out.size() < limit) {
        Head next = heads.peek();
        if (next != null && top.compareTo(next) == 0 && !top.text().equals(last)) {
          last = top.text();
          out.add(BrokenRule.TWICE.by((top.edges() ? "edge " : "node ") + last));
        }
        if (top.advance()) {
          heads.add(top);
        }
        top = heads.poll();
      }
    } finally {
      open.forEach(Head::close);
    }
    return out;
  }

  /** The current key of one file. */
  private static final class Head implements Comparable<Head> {
    private final CandidateKeys in;
    private final KeyRange range;
    private RecordBatch batch;
    private int row;

    Head(CandidateKeys in, KeyRange range) {
      this.in = in;
      this.range = range;
    }

    boolean advance() {
      while (true) {
        if (batch == null || ++row >= batch.size()) {
          if (!in.next()) {
            return false;
          }
          batch = in.batch();
          row = 0;
        }
        if (row < batch.size() && range.contains(batch.keyHi()[row], batch.keyLo()[row])) {
          return true;
        }
      }
    }

    boolean edges() {
      return batch.edges();
    }

    @Override
    public int compareTo(Head o) {
      RecordBatch b = o.batch;
      int c =
          NodeId.compare(
              batch.keyHi()[row], batch.keyLo()[row], b.keyHi()[o.row], b.keyLo()[o.row]);
      if (c == 0 && batch.edges()) {
        c =
            NodeId.compare(
                batch.partnerHi()[row],
                batch.partnerLo()[row],
                b.partnerHi()[o.row],
                b.partnerLo()[o.row]);
      }
      return c;
    }

    @Override
    public boolean equals(Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    String text() {
      String key = new NodeId(batch.keyHi()[row], batch.keyLo()[row]).toString();
      return batch.edges()
          ? key + " -> " + new NodeId(batch.partnerHi()[row], batch.partnerLo()[row])
          : key;
    }

    void close() {
      in.close();
    }
  }
}
