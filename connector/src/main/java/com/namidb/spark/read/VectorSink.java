package com.namidb.spark.read;

import com.namidb.format.value.Value;
import com.namidb.format.value.ValueSink;
import com.namidb.format.value.ValueType;
import java.util.Arrays;

/**
 * Puts the decoded properties of one record after the other into property vectors. A value that
 * does not fit is remembered until the record ends, because a later value of the same name replaces
 * it.
 */
final class VectorSink implements ValueSink {
  private final PropertyVector[] columns;
  private final ValueType[] misfits;
  private final PropertyVector.Slice slice = new PropertyVector.Slice();
  private float[] scratch = new float[0];
  private byte[] payload = new byte[0];
  private int row;
  private boolean anyMisfit;

  /**
   * Fills these vectors.
   *
   * @param columns by property position
   */
  VectorSink(PropertyVector[] columns) {
    this.columns = columns;
    misfits = new ValueType[columns.length];
  }

  /**
   * Starts a batch.
   *
   * @param rows how many rows it gets; all properties are null until written
   * @param buffer the records' payload buffer: text lying in it is not copied
   */
  void startBatch(int rows, byte[] buffer) {
    payload = buffer;
    for (PropertyVector column : columns) {
      column.start(rows);
    }
  }

  /** Starts a row of the batch. */
  void startRow(int at) {
    row = at;
    if (anyMisfit) {
      Arrays.fill(misfits, null);
      anyMisfit = false;
    }
  }

  /** Whether the current row may hold a value that did not fit. */
  boolean anyMisfit() {
    return anyMisfit;
  }

  /** The stored type of what did not fit a property of the current row, or null. */
  ValueType misfit(int property) {
    return misfits[property];
  }

  /** Takes back what the current row got for a property: its text turned out to be broken. */
  void drop(int property) {
    columns[property].setNull(row);
    misfits[property] = null;
  }

  private void done(int property, boolean fits, ValueType type) {
    if (!fits) {
      columns[property].setNull(row);
      misfits[property] = type;
      anyMisfit = true;
    } else if (anyMisfit) {
      misfits[property] = null;
    }
  }

  private boolean stable(byte[] buffer) {
    return buffer == payload;
  }

  @Override
  public void nullValue(int property) {
    columns[property].setNull(row);
    done(property, true, ValueType.NULL);
  }

  @Override
  public void bool(int property, boolean value) {
    done(property, columns[property].bool(row, value), ValueType.BOOL);
  }

  @Override
  public void int64(int property, long value) {
    done(property, columns[property].int64(row, value), ValueType.INT64);
  }

  @Override
  public void float64(int property, double value) {
    done(property, columns[property].float64(row, value), ValueType.FLOAT64);
  }

  @Override
  public void string(int property, byte[] buffer, int offset, int length) {
    PropertyVector.Slice text = slice.at(buffer, offset, length);
    done(property, columns[property].string(row, text, stable(buffer)), ValueType.STRING);
  }

  @Override
  public void bytes(int property, byte[] buffer, int offset, int length) {
    done(property, columns[property].bytes(row, slice.at(buffer, offset, length)), ValueType.BYTES);
  }

  @Override
  public void date(int property, int epochDays) {
    done(property, columns[property].date(row, epochDays), ValueType.DATE);
  }

  @Override
  public void datetime(int property, long epochMicros) {
    done(property, columns[property].datetime(row, epochMicros), ValueType.DATETIME);
  }

  @Override
  public void vector(int property, float[] components, int length) {
    done(property, columns[property].vector(row, components, length), ValueType.VECTOR);
  }

  @Override
  public void int8Vector(int property, float scale, byte[] codes, int length) {
    if (scratch.length < length) {
      scratch = new float[Math.max(length, 2 * scratch.length)];
    }
    for (int i = 0; i < length; i++) {
      scratch[i] = codes[i] * scale;
    }
    done(property, columns[property].vector(row, scratch, length), ValueType.INT8_VECTOR);
  }

  @Override
  public void list(int property, Value.ListOf value) {
    done(property, columns[property].list(row, value), ValueType.LIST);
  }

  @Override
  public void map(int property, Value.MapOf value) {
    done(property, columns[property].map(row, value), ValueType.MAP);
  }

  @Override
  public void json(int property, byte[] buffer, int offset, int length) {
    PropertyVector.Slice text = slice.at(buffer, offset, length);
    if (!columns[property].json(row, text, stable(buffer))) {
      throw new IllegalStateException("property " + property + " was not asked for as text");
    }
    done(property, true, ValueType.NULL);
  }
}
