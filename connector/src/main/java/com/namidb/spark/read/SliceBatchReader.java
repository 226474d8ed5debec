package com.namidb.spark.read;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.RowErrors;
import com.namidb.format.error.Where;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.LiveBatches;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.snapshot.ExpiredFiles;
import com.namidb.format.store.RequestCounts;
import com.namidb.format.value.InvalidJsonException;
import com.namidb.format.value.ValueType;
import com.namidb.spark.metrics.TaskCount;
import com.namidb.spark.metrics.TaskCountNames;
import com.namidb.spark.types.OnMismatch;
import java.util.List;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The live rows of a slice as column batches. Vectors are reused: a batch is valid until the next
 * call of {@link #next}. Only the asked properties of live rows are decoded.
 */
final class SliceBatchReader implements PartitionReader<ColumnarBatch> {
  /** Most rows of a batch that has columns. */
  static final int CAPACITY = 4096;

  private final ReadSpec spec;
  private final OpenSlice slice;
  private final LiveBatches rows;
  private final BatchColumns columns;
  private final PropertySource source;
  private final VectorSink sink;
  private final ColumnarBatch out;
  private int from;
  private int selected;
  private long nulled;
  private boolean closed;

  /** Reads an open slice and closes it in the end. */
  SliceBatchReader(ReadSpec spec, OpenSlice slice) {
    this.spec = spec;
    this.slice = slice;
    rows = slice.rows();
    columns = new BatchColumns(spec, slice.edgeType(), slice.names(), CAPACITY);
    ColumnVector[] vectors = columns.vectors();
    PropertyVector[] properties = columns.properties();
    sink = new VectorSink(properties);
    source =
        properties.length == 0
            ? null
            : slice.properties().make(columns.propertyNames(), columns.asText());
    out = new ColumnarBatch(vectors);
  }

  @Override
  public boolean next() {
    try {
      while (from >= selected) {
        if (selected > 0) {
          slice.names().leaveBatch();
        }
        if (!rows.next()) {
          selected = 0;
          from = 0;
          return false;
        }
        from = 0;
        selected = rows.selection().size();
      }
      int count = out.numCols() == 0 ? selected - from : Math.min(CAPACITY, selected - from);
      columns.fillGraph(rows, from, count);
      if (source != null) {
        decode(count);
      }
      out.setNumRows(count);
      from += count;
      return true;
    } catch (NamiException e) {
      Where where = Where.version(spec.namespace(), spec.version());
      // A scan of changes may have missed a file of either version: it says which file, not which.
      throw spec.since() != null
          ? e.at(where)
          : ExpiredFiles.explain(e, where, spec.store(), slice.store());
    }
  }

  private void decode(int count) {
    RecordBatch batch = rows.batch();
    Selection selection = rows.selection();
    byte[] payload = batch.payload();
    int[] offsets = batch.payloadOffset();
    int[] lengths = batch.payloadLength();
    sink.startBatch(count, payload);
    for (int i = 0; i < count; i++) {
      int row = selection.row(from + i);
      if (lengths[row] == RecordBatch.NO_PAYLOAD) {
        continue;
      }
      sink.startRow(i);
      try {
        source.read(payload, offsets[row], lengths[row], sink);
      } catch (InvalidJsonException e) {
        unreadable(from + i, e);
      }
      if (sink.anyMisfit()) {
        misfits(from + i);
      }
    }
  }

  /** What was decoded before the fault stays; the property at the fault and later ones are null. */
  private void unreadable(int at, InvalidJsonException e) {
    if (spec.onMismatch() == OnMismatch.FAIL) {
      throw RowErrors.unreadable(slice.names().of(at), e.property(), e.getMessage(), e);
    }
    int property = columns.propertyNames().indexOf(e.property());
    if (property >= 0) {
      sink.drop(property);
    }
    nulled++;
  }

  private void misfits(int at) {
    List<String> names = columns.propertyNames();
    for (int p = 0; p < names.size(); p++) {
      ValueType stored = sink.misfit(p);
      if (stored == null) {
        continue;
      }
      if (spec.onMismatch() == OnMismatch.FAIL) {
        String type = columns.properties()[p].dataType().sql();
        throw RowErrors.doesNotFit(slice.names().of(at), names.get(p), stored.name(), type);
      }
      nulled++;
    }
  }

  @Override
  public ColumnarBatch get() {
    return out;
  }

  /** Cells that became null so far because their value does not fit. */
  long mismatches() {
    return nulled;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    SliceReader.Counters counters = rows.counters();
    RequestCounts requests = slice.store().snapshot();
    return new CustomTaskMetric[] {
      new TaskCount(TaskCountNames.ROWS_READ, counters.rowsRead()),
      new TaskCount(TaskCountNames.ROWS_HIDDEN_BY_NEWER, counters.hiddenByNewer()),
      new TaskCount(TaskCountNames.ROWS_HIDDEN_BY_TOMBSTONE, counters.hiddenByTombstone()),
      new TaskCount(TaskCountNames.VALUES_NULLED, nulled),
      new TaskCount(TaskCountNames.STORE_REQUESTS, requests.total()),
      new TaskCount(TaskCountNames.STORE_BYTES, requests.bytesRead())
    };
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      slice.close();
    }
  }
}
