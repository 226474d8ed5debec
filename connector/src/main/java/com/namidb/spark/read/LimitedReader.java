package com.namidb.spark.read;

import java.io.IOException;
import java.util.function.ToIntBiFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Stops after a number of rows; a batch that holds more is cut.
 *
 * @param <T> row or batch
 */
final class LimitedReader<T> implements PartitionReader<T> {
  private final PartitionReader<T> reader;
  private final ToIntBiFunction<T, Integer> cut;
  private int left;

  private LimitedReader(PartitionReader<T> reader, int limit, ToIntBiFunction<T, Integer> cut) {
    this.reader = reader;
    this.left = limit;
    this.cut = cut;
  }

  static PartitionReader<InternalRow> ofRows(PartitionReader<InternalRow> reader, int limit) {
    return new LimitedReader<>(reader, limit, (row, most) -> 1);
  }

  static PartitionReader<ColumnarBatch> ofBatches(
      PartitionReader<ColumnarBatch> reader, int limit) {
    return new LimitedReader<>(
        reader,
        limit,
        (batch, most) -> {
          if (batch.numRows() > most) {
            batch.setNumRows(most);
          }
          return batch.numRows();
        });
  }

  @Override
  public boolean next() throws IOException {
    if (left <= 0 || !reader.next()) {
      return false;
    }
    left -= cut.applyAsInt(reader.get(), left);
    return true;
  }

  @Override
  public T get() {
    return reader.get();
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return reader.currentMetricsValues();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
