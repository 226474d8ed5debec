package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;

/** Decodes one column of a row group into batches. */
interface ColumnDecoder {
  /** Fills in the next {@code n} rows, from position 0 of the batch. */
  void fill(RecordBatch batch, int n);
}
