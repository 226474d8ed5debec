package com.namidb.spark.read;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.record.Column;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.value.PropertyReader;
import java.util.List;
import java.util.Set;
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
    ObjectStore store = StoreOpener.open(spec.store());
    try {
      LiveBatches rows = LiveBatches.of(SliceReader.open(partition.slice(), store));
      RowNames names = new RowNames(rows, partition.edgeType(), null);
      return new SliceBatchReader(
          spec,
          new OpenSlice(
              partition.edgeType(), rows, names, SliceReaderFactory::decoder, store::close));
    } catch (NamiException e) {
      store.close();
      throw e.at(Where.version(spec.namespace(), spec.version()));
    }
  }

  private static PropertySource decoder(List<String> names, Set<Integer> asText) {
    return new PropertyReader(names, asText)::read;
  }
}
