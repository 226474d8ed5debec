package com.namidb.spark.read;

import com.namidb.format.value.Value;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;

/**
 * A property column being filled. Each call stores a value at a row, or tells by {@code false} that
 * the value does not fit the column's type; the row is null then. A later call for the same row
 * replaces an earlier one. Rows that get no value are null.
 */
abstract class PropertyVector extends PlainVector {
  private final boolean[] nulls;
  private int rows;

  PropertyVector(DataType type, int capacity) {
    super(type);
    nulls = new boolean[capacity];
  }

  /** Starts a batch of this many rows, all null. */
  void start(int count) {
    rows = count;
    Arrays.fill(nulls, 0, count, true);
  }

  final void setNull(int row) {
    nulls[row] = true;
  }

  /** Marks a row as having a value. */
  final boolean present(int row) {
    nulls[row] = false;
    return true;
  }

  @Override
  public final boolean isNullAt(int row) {
    return nulls[row];
  }

  @Override
  public final boolean hasNull() {
    return numNulls() > 0;
  }

  @Override
  public final int numNulls() {
    int n = 0;
    for (int i = 0; i < rows; i++) {
      n += nulls[i] ? 1 : 0;
    }
    return n;
  }

  boolean bool(int row, boolean value) {
    return false;
  }

  boolean int64(int row, long value) {
    return false;
  }

  boolean float64(int row, double value) {
    return false;
  }

  /**
   * Text.
   *
   * @param text where it lies
   * @param stable whether the buffer outlives the batch, so that no copy is needed
   */
  boolean string(int row, Slice text, boolean stable) {
    return false;
  }

  /** JSON text of any value but a string, for columns read as text. */
  boolean json(int row, Slice text, boolean stable) {
    return false;
  }

  boolean bytes(int row, Slice value) {
    return false;
  }

  boolean date(int row, int epochDays) {
    return false;
  }

  boolean datetime(int row, long epochMicros) {
    return false;
  }

  boolean vector(int row, float[] components, int length) {
    return false;
  }

  boolean list(int row, Value.ListOf value) {
    return false;
  }

  boolean map(int row, Value.MapOf value) {
    return false;
  }

  /** A part of a buffer; one instance is reused, so that no call allocates. */
  static final class Slice {
    byte[] buffer = new byte[0];
    int offset;
    int length;

    Slice at(byte[] in, int from, int size) {
      buffer = in;
      offset = from;
      length = size;
      return this;
    }
  }
}
