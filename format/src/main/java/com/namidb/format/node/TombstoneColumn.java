package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;

/** {@code tombstone}. */
final class TombstoneColumn extends FlatColumn {
  private final LongValues values;
  private final long[] scratch;

  TombstoneColumn(PageStream pages) {
    super(pages);
    scratch = new long[pages.batch()];
    values = new LongValues(pages, 0);
  }

  @Override
  void init(Page page) {
    values.init(page);
  }

  @Override
  void decode(RecordBatch batch, int from, int n) {
    values.read(scratch, 0, n);
    boolean[] out = batch.tombstone();
    long any = 0;
    for (int i = 0; i < n; i++) {
      out[from + i] = scratch[i] != 0;
      any |= scratch[i];
    }
    batch.anyTombstone(batch.anyTombstone() || any != 0);
  }
}
