package com.namidb.format.scan;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.store.ObjectStore;

/** Reads one slice: its live records only, after merge, tombstones, labels and key predicates. */
public final class SliceReader implements AutoCloseable {
  private SliceReader() {}

  /** Opens a slice. */
  public static SliceReader open(ScanSlice slice, ObjectStore store) {
    throw new IllegalStateException("not built yet: " + (slice == null) + store);
  }

  /** Loads the next batch that has a live record; false at the end. */
  public boolean next() {
    throw new IllegalStateException("not built yet");
  }

  /** The current batch. Keys are (src, dst) for edges whatever file they came from. */
  public RecordBatch batch() {
    throw new IllegalStateException("not built yet");
  }

  /** The live records of the current batch. */
  public Selection selection() {
    throw new IllegalStateException("not built yet");
  }

  /** Label sets the batches refer to. */
  public LabelSets labels() {
    throw new IllegalStateException("not built yet");
  }

  /** Where the record at this position of the current batch was stored. */
  public Origin origin(int row) {
    throw new IllegalStateException("not built yet: " + row);
  }

  /** Rows read so far, and rows hidden by newer versions and by tombstones. */
  public Counters counters() {
    throw new IllegalStateException("not built yet");
  }

  @Override
  public void close() {}

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
   * @param rowsRead physical rows of the base
   * @param hiddenByNewer of these, beaten by another source
   * @param hiddenByTombstone winners that delete
   */
  public record Counters(long rowsRead, long hiddenByNewer, long hiddenByTombstone) {}
}
