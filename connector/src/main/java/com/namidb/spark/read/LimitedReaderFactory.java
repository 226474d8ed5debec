package com.namidb.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Readers that stop after a number of rows each. */
final class LimitedReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final PartitionReaderFactory readers;
  private final int limit;

  LimitedReaderFactory(PartitionReaderFactory readers, int limit) {
    this.readers = readers;
    this.limit = limit;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return LimitedReader.ofRows(readers.createReader(partition), limit);
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return LimitedReader.ofBatches(readers.createColumnarReader(partition), limit);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return readers.supportColumnarReads(partition);
  }
}
