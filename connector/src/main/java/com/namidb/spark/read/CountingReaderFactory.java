package com.namidb.spark.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** One row per slice: how many live rows it has. */
final class CountingReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final PartitionReaderFactory slices;
  private final boolean byType;
  private final boolean[] isCount;

  CountingReaderFactory(PartitionReaderFactory slices, AskedAggregates asked) {
    this.slices = slices;
    this.byType = asked.byType();
    this.isCount = new boolean[asked.items().size()];
    for (int i = 0; i < isCount.length; i++) {
      isCount[i] = asked.items().get(i).isCount();
    }
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    if (partition instanceof CountingScan.KnownRows known) {
      return new RowsReader(known.rows());
    }
    InputPartition inner = partition instanceof LeasedPartition l ? l.partition() : partition;
    String type = ((SlicePartition) inner).edgeType();
    return new CountReader(slices.createColumnarReader(partition), type);
  }

  private final class CountReader implements PartitionReader<InternalRow> {
    private final PartitionReader<ColumnarBatch> batches;
    private final String type;
    private InternalRow row;
    private boolean done;

    CountReader(PartitionReader<ColumnarBatch> batches, String type) {
      this.batches = batches;
      this.type = type;
    }

    @Override
    public boolean next() throws IOException {
      if (done) {
        return false;
      }
      done = true;
      long n = 0;
      while (batches.next()) {
        n += batches.get().numRows();
      }
      row = AggregateAnswer.row(byType ? type : null, n, isCount);
      // A type without live rows is no group.
      return n > 0;
    }

    @Override
    public InternalRow get() {
      return row;
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
      return batches.currentMetricsValues();
    }

    @Override
    public void close() throws IOException {
      batches.close();
    }
  }

  private static final class RowsReader implements PartitionReader<InternalRow> {
    private final Iterator<InternalRow> rows;
    private InternalRow row;

    RowsReader(List<InternalRow> rows) {
      this.rows = new ArrayList<>(rows).iterator();
    }

    @Override
    public boolean next() {
      boolean more = rows.hasNext();
      row = more ? rows.next() : null;
      return more;
    }

    @Override
    public InternalRow get() {
      return row;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
