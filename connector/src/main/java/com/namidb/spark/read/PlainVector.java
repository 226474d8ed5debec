package com.namidb.spark.read;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A column vector over plain arrays that are reused from batch to batch. A subclass overrides the
 * accessors of its type; the others are never called by Spark.
 */
abstract class PlainVector extends ColumnVector {
  PlainVector(DataType type) {
    super(type);
  }

  private IllegalStateException wrong() {
    return new IllegalStateException("not an accessor of " + dataType().sql());
  }

  /** The arrays are kept: Spark closes the vectors of each batch, the next one reuses them. */
  @Override
  public void close() {}

  @Override
  public void closeIfFreeable() {}

  @Override
  public boolean hasNull() {
    return false;
  }

  @Override
  public int numNulls() {
    return 0;
  }

  @Override
  public boolean isNullAt(int row) {
    return false;
  }

  @Override
  public boolean getBoolean(int row) {
    throw wrong();
  }

  @Override
  public byte getByte(int row) {
    throw wrong();
  }

  @Override
  public short getShort(int row) {
    throw wrong();
  }

  @Override
  public int getInt(int row) {
    throw wrong();
  }

  @Override
  public long getLong(int row) {
    throw wrong();
  }

  @Override
  public float getFloat(int row) {
    throw wrong();
  }

  @Override
  public double getDouble(int row) {
    throw wrong();
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw wrong();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw wrong();
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    throw wrong();
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw wrong();
  }

  @Override
  public byte[] getBinary(int row) {
    throw wrong();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw wrong();
  }
}
