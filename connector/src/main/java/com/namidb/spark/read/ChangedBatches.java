package com.namidb.spark.read;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.DiffReader;
import com.namidb.format.scan.RecordChange;
import com.namidb.format.scan.SliceReader;

/**
 * The changed records of a key range.
 *
 * @param reader gives them
 */
record ChangedBatches(DiffReader reader) implements LiveBatches {
  @Override
  public boolean next() {
    return reader.next();
  }

  @Override
  public RecordBatch batch() {
    return reader.batch();
  }

  @Override
  public Selection selection() {
    return reader.selection();
  }

  @Override
  public LabelSets labels() {
    return reader.labels();
  }

  @Override
  public SliceReader.Origin origin(int row) {
    return reader.origin(row);
  }

  @Override
  public RecordChange change(int row) {
    return reader.change(row);
  }

  @Override
  public SliceReader.Counters counters() {
    return reader.counters();
  }

  @Override
  public void close() {
    reader.close();
  }
}
