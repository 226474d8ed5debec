package com.namidb.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Opens slices in tasks, as rows or as column batches. */
public final class SliceReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final ReadSpec spec;
  private final boolean columnar;

  /**
   * Makes the factory.
   *
   * @param columnar whether tasks produce column batches; one decision per scan
   */
  public SliceReaderFactory(ReadSpec spec, boolean columnar) {
    this.spec = spec;
    this.columnar = columnar;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new IllegalStateException("not built yet: " + spec);
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    throw new IllegalStateException("not built yet: " + spec);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return columnar;
  }
}
