package com.namidb.format.scan;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.wal.WalState;
import java.util.function.Function;

/**
 * Reads one slice of a difference: the changed records in key order, an update as its record before
 * and its record after, next to each other. Memory: windows of the files of both sides, one batch
 * each, and at most 65,536 keys. Not thread-safe.
 */
public final class DiffReader implements LiveBatches {
  private static final int BATCH = 4096;

  private final DiffSlice slice;
  private final SstAccess ssts;
  private final Function<SliceScope, TargetWal> wal;
  private final int mostKeys;
  private final DiffBatch out;
  private final Selection selection = new Selection(BATCH);
  private SideRows before;
  private SideRows after;
  private DiffLabels labelsBefore;
  private DiffLabels labelsAfter;
  private boolean closed;

  private DiffReader(
      DiffSlice slice, SstAccess ssts, Function<SliceScope, TargetWal> wal, int mostKeys) {
    this.slice = slice;
    this.ssts = ssts;
    this.wal = wal;
    this.mostKeys = mostKeys;
    this.out = new DiffBatch(BATCH, slice.isEdges());
  }

  /**
   * Opens a slice; objects are opened when their records are first needed.
   *
   * @param store the store the slice was planned on; stays owned by the caller
   */
  public static DiffReader open(DiffSlice slice, ObjectStore store) {
    return open(slice, store, new StoredSsts(store, slice.isEdges()), DiffKeys.MAX_KEYS);
  }

  static DiffReader open(DiffSlice slice, ObjectStore store, SstAccess ssts, int mostKeys) {
    Function<SliceScope, TargetWal> wal =
        scope -> {
          WalState state = WalCache.shared().state(store, scope.wal);
          return new TargetWal(state, scope.target);
        };
    return new DiffReader(slice, ssts, wal, mostKeys);
  }

  /**
   * Loads the next batch that has a change; false at the end.
   *
   * @throws com.namidb.format.error.CorruptObjectException if an object of the slice is missing or
   *     damaged; it names namespace, version and object
   */
  @Override
  public boolean next() {
    if (closed) {
      return false;
    }
    if (before == null) {
      start();
    }
    out.clear();
    while (out.hasRoom() && !(before.ended() && after.ended())) {
      step();
    }
    selection.selectAll(out.size());
    return out.size() > 0;
  }

  private void start() {
    TargetWal walBefore = wal.apply(slice.before.scope);
    TargetWal walAfter = wal.apply(slice.after.scope);
    KeyRanges keys = new DiffKeys(slice, ssts, mostKeys).read(walBefore, walAfter);
    int window = SideRows.window(slice.before.files.length + slice.after.files.length);
    before = new SideRows(slice.before, keys, ssts, walBefore, window);
    after = new SideRows(slice.after, keys, ssts, walAfter, window);
    labelsBefore = new DiffLabels(before.labels(), out.labels, slice.before.labels);
    labelsAfter = new DiffLabels(after.labels(), out.labels, slice.after.labels);
    before.next();
    after.next();
  }

  private void step() {
    int c = before.compareTo(after);
    if (c < 0) {
      out.add(before, setBefore(), RecordChange.DELETE);
    } else if (c > 0) {
      out.add(after, setAfter(), RecordChange.INSERT);
    } else if (!same()) {
      out.add(before, setBefore(), RecordChange.UPDATE_BEFORE);
      out.add(after, setAfter(), RecordChange.UPDATE_AFTER);
    }
    if (c <= 0) {
      before.next();
    }
    if (c >= 0) {
      after.next();
    }
  }

  private boolean same() {
    return setBefore() == setAfter()
        && StoredContent.sameProperties(before.batch(), before.row(), after.batch(), after.row());
  }

  private int setBefore() {
    return slice.isEdges()
        ? LabelSets.EMPTY
        : labelsBefore.number(before.batch().labelSet()[before.row()]);
  }

  private int setAfter() {
    return slice.isEdges()
        ? LabelSets.EMPTY
        : labelsAfter.number(after.batch().labelSet()[after.row()]);
  }

  /** The current batch; everything but tombstones is filled in. */
  @Override
  public RecordBatch batch() {
    return out.rows;
  }

  /** All records of the current batch. */
  @Override
  public Selection selection() {
    return selection;
  }

  /** Label sets the batches refer to; ids are those of {@link DiffPlan#labels}. */
  @Override
  public LabelSets labels() {
    return out.labels;
  }

  /** What the record at this position of the current batch tells. */
  @Override
  public RecordChange change(int row) {
    return out.change(row);
  }

  /** Where the record at this position of the current batch was stored. */
  @Override
  public SliceReader.Origin origin(int row) {
    return out.origin(row);
  }

  /** Rows read so far on both sides, and rows hidden by newer versions and by tombstones. */
  @Override
  public SliceReader.Counters counters() {
    return before == null
        ? new SliceReader.Counters(0, 0, 0)
        : before.counters().plus(after.counters());
  }

  /** Reads to the end and counts what is left. */
  public DiffCounts count() {
    long inserted = 0;
    long updated = 0;
    long deleted = 0;
    while (next()) {
      for (int i = 0; i < out.size(); i++) {
        RecordChange change = out.change(i);
        inserted += change == RecordChange.INSERT ? 1 : 0;
        updated += change == RecordChange.UPDATE_AFTER ? 1 : 0;
        deleted += change == RecordChange.DELETE ? 1 : 0;
      }
    }
    return new DiffCounts(inserted, updated, deleted);
  }

  @Override
  public void close() {
    closed = true;
    if (before != null) {
      before.close();
    }
    if (after != null) {
      after.close();
    }
  }
}
