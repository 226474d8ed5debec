package com.namidb.spark.read;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.RecordChange;
import com.namidb.format.scan.SliceReader;

/** The live records of a slice, as {@link SliceReader} gives them. */
interface LiveBatches extends AutoCloseable {
  /** Loads the next batch that has a live record; false at the end. */
  boolean next();

  /** The current batch. */
  RecordBatch batch();

  /** The live records of the current batch. */
  Selection selection();

  /** Label sets the current batch refers to. */
  LabelSets labels();

  /** Where the record at this position of the current batch was stored. */
  SliceReader.Origin origin(int row);

  /** What the record at this position of the current batch tells, in a scan of changes. */
  default RecordChange change(int row) {
    throw new IllegalStateException("not a scan of changes");
  }

  /** What the slice did so far. */
  SliceReader.Counters counters();

  @Override
  void close();

  /** The batches of an open slice. */
  static LiveBatches of(SliceReader reader) {
    return new LiveBatches() {
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
      public SliceReader.Counters counters() {
        return reader.counters();
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }
}
