package com.namidb.format.scan;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;

/** Records of a slice, batch by batch: live ones, or those that changed between two versions. */
public interface LiveBatches extends AutoCloseable {
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
}
