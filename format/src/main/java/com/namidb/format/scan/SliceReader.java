package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.wal.WalState;
import java.util.function.Supplier;

/**
 * Reads one slice: its live records only, after merge, tombstones, labels and key predicates. Not
 * thread-safe.
 */
public final class SliceReader implements LiveBatches {
  private final ScanSlice slice;
  private final SstAccess ssts;
  private final Supplier<WalState> wal;
  private final LabelSets labels = new LabelSets();
  private int nextPart;
  private PartReader part;
  private RecordBatch batch;
  private Counters finished = new Counters(0, 0, 0);

  private SliceReader(ScanSlice slice, SstAccess ssts, Supplier<WalState> wal) {
    this.slice = slice;
    this.ssts = ssts;
    this.wal = wal;
  }

  /**
   * Opens a slice; objects are opened when their records are first needed.
   *
   * @param store the store the slice was planned on; stays owned by the caller
   */
  public static SliceReader open(ScanSlice slice, ObjectStore store) {
    return open(slice, store, new StoredSsts(store, slice.scope.target.isEdges()));
  }

  static SliceReader open(ScanSlice slice, ObjectStore store, SstAccess ssts) {
    return new SliceReader(slice, ssts, () -> WalCache.shared().state(store, slice.scope.wal));
  }

  /**
   * Loads the next batch that has a live record; false at the end.
   *
   * @throws com.namidb.format.error.CorruptObjectException if an object of the slice is missing or
   *     damaged; it names namespace, version and object
   */
  @Override
  public boolean next() {
    try {
      return advance();
    } catch (NamiException e) {
      throw e.at(slice.scope.where());
    }
  }

  private boolean advance() {
    while (true) {
      if (part == null) {
        if (nextPart == slice.parts.size()) {
          return false;
        }
        part = new PartReader(slice.parts.get(nextPart++), slice.scope, ssts, wal, labels);
      }
      while (part.rows().next()) {
        if (part.rows().selection().size() > 0) {
          RecordBatch stored = part.rows().batch();
          batch = slice.scope.target.inverse ? stored.swapped() : stored;
          return true;
        }
      }
      closePart();
    }
  }

  /** The current batch. Keys are (src, dst) for edges whatever file they came from. */
  @Override
  public RecordBatch batch() {
    return batch;
  }

  /** The live records of the current batch. */
  @Override
  public Selection selection() {
    return part.rows().selection();
  }

  /**
   * Label sets the batches refer to. Their ids are those of {@link ScanPlanner#labels}; ids it does
   * not know are to be ignored.
   */
  @Override
  public LabelSets labels() {
    return labels;
  }

  /** Where the record at this position of the current batch was stored. */
  @Override
  public Origin origin(int row) {
    return part.origin(row);
  }

  /** Rows read so far, and rows hidden by newer versions and by tombstones. */
  @Override
  public Counters counters() {
    return part == null ? finished : finished.plus(part.counters());
  }

  private void closePart() {
    if (part != null) {
      finished = finished.plus(part.counters());
      part.close();
      part = null;
    }
  }

  @Override
  public void close() {
    closePart();
    nextPart = slice.parts.size();
  }

  /**
   * Where a record is stored.
   *
   * @param sst SST id as text, {@code null} for WAL rows
   * @param level level of the SST, -1 for WAL rows
   */
  public record Origin(String sst, int level) {}

  /**
   * What a slice did.
   *
   * @param rowsRead physical rows of the base, those a reader passes outside the key range included
   * @param hiddenByNewer of these, beaten by another source
   * @param hiddenByTombstone winners that delete
   */
  public record Counters(long rowsRead, long hiddenByNewer, long hiddenByTombstone) {
    Counters plus(Counters other) {
      return new Counters(
          rowsRead + other.rowsRead,
          hiddenByNewer + other.hiddenByNewer,
          hiddenByTombstone + other.hiddenByTombstone);
    }
  }
}
