package com.namidb.spark.read;

import com.namidb.format.scan.DiffReader;
import com.namidb.format.scan.LiveBatches;
import com.namidb.format.store.MeteredStore;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.value.PropertyReader;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Opens key ranges of changes in tasks. */
final class ChangesReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final ReadSpec spec;
  private final boolean columnar;

  ChangesReaderFactory(ReadSpec spec, boolean columnar) {
    this.spec = spec;
    this.columnar = columnar;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new SliceRowReader(open((ChangesPartition) partition));
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return open((ChangesPartition) partition);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return columnar;
  }

  private SliceBatchReader open(ChangesPartition partition) {
    MeteredStore store = new MeteredStore(StoreOpener.open(spec.store()));
    // Opening a slice makes no request: whatever fails later is closed by the reader.
    LiveBatches rows = DiffReader.open(partition.slice(), store);
    RowNames names = new RowNames(rows, partition.edgeType(), null);
    return new SliceBatchReader(
        spec,
        new OpenSlice(
            partition.edgeType(),
            rows,
            names,
            (properties, asText) -> new PropertyReader(properties, asText)::read,
            store));
  }
}
