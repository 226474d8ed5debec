package com.namidb.format.scan;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Live records one by one, ascending by key over all sources, for a merge with other sorted rows.
 * SSTs that overlap are merged in one part, so that only one part and the WAL are open at a time,
 * however many SSTs there are. Not thread-safe.
 */
public final class OrderedRows implements AutoCloseable {
  private static final ScanRequest.Sizing WHOLE = new ScanRequest.Sizing(Long.MAX_VALUE, false);

  /** Whatever overlaps is merged. */
  private static final UnitPlanner.Limits MERGE = new UnitPlanner.Limits(0, 0);

  private final Lane stored;
  private final Lane replayed;
  private Lane current;
  private long hi;
  private long lo;
  private long hi2;
  private long lo2;
  private boolean any;

  private OrderedRows(Lane stored, Lane replayed) {
    this.stored = stored;
    this.replayed = replayed;
  }

  /**
   * Plans; the slices hold the WAL too. Reads what {@link ScanPlanner#plan} reads.
   *
   * @param columns what the consumer needs beside the keys
   * @return slices whose SSTs do not overlap, ascending, then the WAL; for {@link #open} only
   */
  public static List<ScanSlice> plan(
      Snapshot snapshot, ScanRequest.Target target, Set<Column> columns, ObjectStore store) {
    boolean edges = target instanceof ScanRequest.Edges;
    return plan(snapshot, target, columns, store, new StoredSsts(store, edges));
  }

  static List<ScanSlice> plan(
      Snapshot snapshot,
      ScanRequest.Target target,
      Set<Column> columns,
      ObjectStore store,
      SstAccess ssts) {
    Set<Column> all = EnumSet.of(Column.KEY);
    all.addAll(columns);
    ScanRequest request =
        new ScanRequest(target, KeyRanges.ALL, KeyRanges.ALL, all, WalPolicy.REPLAY, WHOLE);
    List<ScanSlice> out =
        new ArrayList<>(ScanPlanner.plan(snapshot, request, store, ssts, MERGE).slices());
    out.sort(Comparator.comparing(OrderedRows::isWal).thenComparing(OrderedRows::first));
    return out;
  }

  private static boolean isWal(ScanSlice slice) {
    return slice.parts.get(0).isWal();
  }

  private static NodeId first(ScanSlice slice) {
    NodeId first = NodeId.MAX;
    for (SliceFile f : slice.parts.get(0).base) {
      NodeId min = f.keys().min();
      first = min.compareTo(first) < 0 ? min : first;
    }
    return first;
  }

  /**
   * Opens what was planned; objects are opened when their records are first needed.
   *
   * @param keys wanted ids of nodes or of edges' sources; no others come
   * @param store stays owned by the caller
   */
  public static OrderedRows open(List<ScanSlice> planned, KeyRanges keys, ObjectStore store) {
    return open(planned, keys, slice -> SliceReader.open(slice, store));
  }

  static OrderedRows open(
      List<ScanSlice> planned, KeyRanges keys, Function<ScanSlice, SliceReader> opener) {
    List<ScanSlice> stored = new ArrayList<>();
    List<ScanSlice> replayed = new ArrayList<>();
    for (ScanSlice slice : planned) {
      if (slice.parts.size() != 1) {
        throw new IllegalStateException("a slice of several parts has no order");
      }
      slice.within(keys, false).ifPresent((isWal(slice) ? replayed : stored)::add);
    }
    return new OrderedRows(new Lane(stored, opener), new Lane(replayed, opener));
  }

  /** Steps to the next record; false at the end. */
  public boolean next() {
    if (current == null) {
      stored.next();
      replayed.next();
    } else {
      current.next();
    }
    current =
        stored.ended || (!replayed.ended && replayed.compareTo(stored) < 0) ? replayed : stored;
    if (current.ended) {
      return false;
    }
    check();
    return true;
  }

  /** A record out of order would be missed by the merge, which nobody would notice later. */
  private void check() {
    RecordBatch b = current.reader.batch();
    int row = current.row();
    long p = b.edges() ? b.partnerHi()[row] : 0;
    long q = b.edges() ? b.partnerLo()[row] : 0;
    int c = NodeId.compare(hi, lo, b.keyHi()[row], b.keyLo()[row]);
    if (any && (c > 0 || (c == 0 && NodeId.compare(hi2, lo2, p, q) >= 0))) {
      throw new IllegalStateException("planned slices are not in order");
    }
    any = true;
    hi = b.keyHi()[row];
    lo = b.keyLo()[row];
    hi2 = p;
    lo2 = q;
  }

  /** The batch of the current record, valid until the next one. */
  public RecordBatch batch() {
    return current.reader.batch();
  }

  /** Position of the current record in its batch. */
  public int row() {
    return current.row();
  }

  /** Label sets the current batch refers to; ids are those of {@link ScanPlanner#labels}. */
  public LabelSets labels() {
    return current.reader.labels();
  }

  @Override
  public void close() {
    stored.close();
    replayed.close();
  }

  /** Slices one after the other. */
  private static final class Lane {
    private final Iterator<ScanSlice> slices;
    private final Function<ScanSlice, SliceReader> opener;
    private SliceReader reader;
    private int selected = -1;
    private boolean ended;

    Lane(List<ScanSlice> slices, Function<ScanSlice, SliceReader> opener) {
      this.slices = slices.iterator();
      this.opener = opener;
    }

    void next() {
      selected++;
      while (reader == null || selected >= reader.selection().size()) {
        selected = 0;
        while (reader == null || !reader.next()) {
          close();
          if (!slices.hasNext()) {
            ended = true;
            return;
          }
          reader = opener.apply(slices.next());
        }
      }
    }

    int row() {
      return reader.selection().row(selected);
    }

    int compareTo(Lane other) {
      RecordBatch a = reader.batch();
      RecordBatch b = other.reader.batch();
      int i = row();
      int j = other.row();
      int c = NodeId.compare(a.keyHi()[i], a.keyLo()[i], b.keyHi()[j], b.keyLo()[j]);
      return c != 0 || !a.edges()
          ? c
          : NodeId.compare(a.partnerHi()[i], a.partnerLo()[i], b.partnerHi()[j], b.partnerLo()[j]);
    }

    void close() {
      if (reader != null) {
        reader.close();
        reader = null;
      }
    }
  }
}
