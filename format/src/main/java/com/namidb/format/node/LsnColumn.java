package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;

/** {@code lsn}: unsigned, within the bounds the descriptor promises. */
final class LsnColumn extends FlatColumn {
  private final LongValues values;
  private final long min;
  private final long max;

  LsnColumn(PageStream pages, NodeSstFile file) {
    super(pages);
    values = new LongValues(pages, 8);
    min = file.minLsn();
    max = file.maxLsn();
  }

  @Override
  void init(Page page) {
    values.init(page);
  }

  @Override
  void decode(RecordBatch batch, int from, int n) {
    long[] lsn = batch.lsn();
    values.read(lsn, from, n);
    for (int i = from; i < from + n; i++) {
      if (Long.compareUnsigned(lsn[i], min) < 0 || Long.compareUnsigned(lsn[i], max) > 0) {
        throw new DamageException(
            "a row has LSN "
                + Long.toUnsignedString(lsn[i])
                + ", the manifest promises "
                + Long.toUnsignedString(min)
                + " to "
                + Long.toUnsignedString(max));
      }
    }
  }
}
