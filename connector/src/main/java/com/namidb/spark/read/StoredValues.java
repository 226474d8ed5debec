package com.namidb.spark.read;

import com.namidb.format.value.PropertyReader;
import com.namidb.spark.types.OnMismatch;
import java.util.BitSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Tells which properties of a row differ from a stored record: decodes the record as a scan of the
 * same columns does, and compares what a query would have seen. Not thread-safe.
 */
public final class StoredValues {
  private final PropertyVector[] columns;
  private final DataType[] types;
  private final int[] positions;
  private final PropertyReader reader;
  private final VectorSink sink;
  private final InternalRow stored;
  private final boolean nulled;
  private final BitSet changed = new BitSet();

  /**
   * Prepares it.
   *
   * @param schema columns of the rows, ours and hidden ones included
   * @param onMismatch how the scan treated values that do not fit their column
   */
  public StoredValues(StructType schema, OnMismatch onMismatch) {
    int n = BatchColumns.propertyNames(schema).size();
    columns = new PropertyVector[n];
    types = new DataType[n];
    positions = new int[n];
    StructField[] fields = schema.fields();
    int p = 0;
    for (int i = 0; i < fields.length && p < n; i++) {
      if (fields[i].name().equals(BatchColumns.propertyNames(schema).get(p))) {
        types[p] = fields[i].dataType();
        positions[p] = i;
        columns[p++] = PropertyVectors.of(fields[i].dataType(), 1);
      }
    }
    reader = new PropertyReader(BatchColumns.propertyNames(schema), BatchColumns.asText(schema));
    sink = new VectorSink(columns);
    ColumnVector[] vectors = columns.clone();
    stored = new ColumnarBatch(vectors, 1).getRow(0);
    nulled = onMismatch == OnMismatch.NULL;
  }

  /**
   * The properties, by their position among the property columns, whose value in the row is not the
   * stored one. Valid until the next call.
   *
   * @param json stored object, {@code null} for a record without
   * @throws com.namidb.format.value.InvalidJsonException if it is broken
   */
  public BitSet changed(byte[] json, InternalRow row) {
    changed.clear();
    sink.startBatch(1, json == null ? new byte[0] : json);
    sink.startRow(0);
    if (json != null && json.length > 0) {
      reader.read(json, 0, json.length, sink);
    }
    for (int p = 0; p < columns.length; p++) {
      // A value that does not fit was read as null, or else was not read: then it is replaced.
      boolean unread = !nulled && sink.misfit(p) != null;
      if (unread || !SameValue.at(stored, p, row, positions[p], types[p])) {
        changed.set(p);
      }
    }
    return changed;
  }
}
