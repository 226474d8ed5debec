package com.namidb.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The live rows of a slice one by one: views of the rows of {@link SliceBatchReader}'s batches, so
 * that both ways decode alike. A row is valid until the next call of {@link #next}.
 */
final class SliceRowReader implements PartitionReader<InternalRow> {
  private final SliceBatchReader batches;
  private ColumnarBatch batch;
  private int row;

  SliceRowReader(SliceBatchReader batches) {
    this.batches = batches;
  }

  @Override
  public boolean next() {
    row++;
    while (batch == null || row >= batch.numRows()) {
      if (!batches.next()) {
        return false;
      }
      batch = batches.get();
      row = 0;
    }
    return true;
  }

  @Override
  public InternalRow get() {
    return batch.getRow(row);
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return batches.currentMetricsValues();
  }

  @Override
  public void close() {
    batches.close();
  }
}
