package com.namidb.spark.read;

import com.namidb.spark.lease.LeasedRead;
import java.io.IOException;
import java.io.ObjectOutputStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Readers of {@link LeasedPartition}s. Spark serialises the factory with every stage that may read
 * them, whoever starts it and however long after planning; no task reads before that. This is where
 * the lease is asked for.
 */
final class LeasedReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final PartitionReaderFactory readers;

  /** On the driver only. */
  private final transient LeasedRead read;

  LeasedReaderFactory(PartitionReaderFactory readers, LeasedRead read) {
    this.readers = readers;
    this.read = read;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    if (read != null) {
      read.starting();
    }
    out.defaultWriteObject();
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return readers.createReader(((LeasedPartition) partition).partition());
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return readers.createColumnarReader(((LeasedPartition) partition).partition());
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return readers.supportColumnarReads(((LeasedPartition) partition).partition());
  }
}
