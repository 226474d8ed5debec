package com.namidb.spark.read;

import com.namidb.format.record.Column;
import com.namidb.format.scan.LiveBatches;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.store.MeteredStore;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.value.PropertyReader;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
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

  /**
   * What the scan request of these columns has to ask for, so that slices deliver what the readers
   * show.
   *
   * @param schema columns to produce, as in {@link ReadSpec#schema}
   */
  public static Set<Column> neededColumns(StructType schema) {
    return BatchColumns.needed(schema);
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new SliceRowReader(open((SlicePartition) partition));
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return open((SlicePartition) partition);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return columnar;
  }

  private SliceBatchReader open(SlicePartition partition) {
    String edgeType = partition.edgeType();
    MeteredStore store = new MeteredStore(StoreOpener.open(spec.store()));
    // Opening a slice makes no request: whatever fails later is closed by the reader.
    ScanSlice slice = partition.slice();
    LiveBatches rows = SliceReader.open(slice, store);
    Supplier<LiveBatches> again = () -> SliceReader.open(slice.withKeys(), store);
    RowNames names = new RowNames(rows, edgeType, slice.hasKeys() ? null : again);
    return new SliceBatchReader(
        spec, new OpenSlice(edgeType, rows, names, SliceReaderFactory::decoder, store));
  }

  private static PropertySource decoder(List<String> names, Set<Integer> asText) {
    return new PropertyReader(names, asText)::read;
  }
}
