package com.namidb.format.stage;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Answers whether candidates hold a key, for keys asked in ascending order: each file is read once,
 * forward, and only files that reach to the asked key are open. Not thread-safe.
 */
public final class AscendingKeys implements AutoCloseable {
  private final ObjectStore store;
  private final NamespacePaths paths;
  private final boolean pairs;
  private final List<NewSst> files;
  private final PriorityQueue<Head> heads = new PriorityQueue<>();
  private int opened;

  /**
   * Prepares it; makes no request.
   *
   * @param store stays owned by the caller
   * @param files of nodes, or forward files of one edge type; in any order, may overlap
   * @param pairs whether edges are asked by both ends; else by the first id alone
   */
  public AscendingKeys(ObjectStore store, NamespacePaths paths, List<NewSst> files, boolean pairs) {
    this.store = store;
    this.paths = paths;
    this.pairs = pairs;
    this.files = new ArrayList<>(files);
    this.files.sort(Comparator.comparing(f -> f.keys().min()));
  }

  /** Whether some file holds the key; not below any key asked before. */
  public boolean contains(long hi, long lo, long hi2, long lo2) {
    while (opened < files.size()
        && NodeId.compare(
                files.get(opened).keys().min().hi(), files.get(opened).keys().min().lo(), hi, lo)
            <= 0) {
      open(files.get(opened++), new NodeId(hi, lo));
    }
    Head top = heads.peek();
    while (top != null && top.compareTo(hi, lo, hi2, lo2) < 0) {
      heads.poll();
      if (top.advance()) {
        heads.add(top);
      } else {
        top.close();
      }
      top = heads.peek();
    }
    return top != null && top.compareTo(hi, lo, hi2, lo2) == 0;
  }

  private void open(NewSst file, NodeId from) {
    if (file.keys().max().compareTo(from) < 0) {
      return;
    }
    KeyRanges rest = KeyRanges.of(new KeyRange(from, file.keys().max()));
    Head head = new Head(CandidateKeys.open(store, paths, file, rest), pairs);
    if (head.advance()) {
      heads.add(head);
    } else {
      head.close();
    }
  }

  @Override
  public void close() {
    heads.forEach(Head::close);
    heads.clear();
    opened = files.size();
  }

  /** The next key of one file. */
  private static final class Head implements Comparable<Head> {
    private final CandidateKeys in;
    private final boolean pairs;
    private RecordBatch batch;
    private int row;

    Head(CandidateKeys in, boolean pairs) {
      this.in = in;
      this.pairs = pairs;
    }

    boolean advance() {
      row++;
      while (batch == null || row >= batch.size()) {
        if (!in.next()) {
          return false;
        }
        batch = in.batch();
        row = 0;
      }
      return true;
    }

    int compareTo(long hi, long lo, long hi2, long lo2) {
      int c = NodeId.compare(batch.keyHi()[row], batch.keyLo()[row], hi, lo);
      return c != 0 || !pairs
          ? c
          : NodeId.compare(batch.partnerHi()[row], batch.partnerLo()[row], hi2, lo2);
    }

    @Override
    public int compareTo(Head o) {
      boolean edges = pairs;
      return compareTo(
          o.batch.keyHi()[o.row],
          o.batch.keyLo()[o.row],
          edges ? o.batch.partnerHi()[o.row] : 0,
          edges ? o.batch.partnerLo()[o.row] : 0);
    }

    @Override
    public boolean equals(Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    void close() {
      in.close();
    }
  }
}
