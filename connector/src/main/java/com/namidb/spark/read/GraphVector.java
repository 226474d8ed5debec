package com.namidb.spark.read;

import com.namidb.format.scan.LiveBatches;
import org.apache.spark.sql.types.DataType;

/** A column that is ours and not a property: filled from the batch, without looking at payloads. */
abstract class GraphVector extends PlainVector {
  GraphVector(DataType type) {
    super(type);
  }

  /**
   * Fills the rows of the next batch.
   *
   * @param rows the slice, at its current batch
   * @param from first selected record to show
   * @param count how many; row i of the vector is selected record {@code from + i}
   */
  abstract void fill(LiveBatches rows, int from, int count);
}
