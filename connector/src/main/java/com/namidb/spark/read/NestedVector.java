package com.namidb.spark.read;

import com.namidb.format.value.Value;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;

/** ARRAY, MAP and STRUCT columns; vectors go in without boxing. */
final class NestedVector extends PropertyVector {
  private final OnHeapColumnVector inner;
  private final boolean takesVectors;

  NestedVector(DataType type, int capacity) {
    super(type, capacity);
    inner = new OnHeapColumnVector(capacity, type);
    takesVectors = type instanceof ArrayType a && NestedFit.takesVectors(a);
  }

  @Override
  void start(int count) {
    super.start(count);
    inner.reset();
  }

  @Override
  boolean vector(int row, float[] components, int length) {
    if (!(dataType() instanceof ArrayType array) || (length > 0 && !takesVectors)) {
      return false;
    }
    WritableColumnVector child = inner.arrayData();
    int start = child.getElementsAppended();
    if (array.elementType() instanceof FloatType) {
      child.appendFloats(length, components, 0);
    } else {
      child.reserve(start + length);
      for (int i = 0; i < length; i++) {
        child.appendDouble(components[i]);
      }
    }
    inner.putArray(row, start, length);
    return present(row);
  }

  @Override
  boolean list(int row, Value.ListOf value) {
    return dataType() instanceof ArrayType && tree(row, value);
  }

  @Override
  boolean map(int row, Value.MapOf value) {
    return !(dataType() instanceof ArrayType) && tree(row, value);
  }

  private boolean tree(int row, Value value) {
    if (!NestedFit.fits(dataType(), true, value)) {
      return false;
    }
    NestedWriter.put(inner, row, dataType(), value);
    return present(row);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return isNullAt(row) ? null : inner.getArray(row);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return isNullAt(row) ? null : inner.getMap(row);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return inner.getChild(ordinal);
  }

  @Override
  public void close() {
    // Spark closes the batch when the task ends; plain arrays need no release.
  }
}
