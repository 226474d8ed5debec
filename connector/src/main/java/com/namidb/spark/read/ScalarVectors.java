package com.namidb.spark.read;

import org.apache.spark.sql.types.DataType;

/** Property columns of fixed width. Which stored type each takes: values §6.1. */
final class ScalarVectors {
  private ScalarVectors() {}

  /** BOOLEAN. */
  static final class Booleans extends PropertyVector {
    private final boolean[] values;

    Booleans(DataType type, int capacity) {
      super(type, capacity);
      values = new boolean[capacity];
    }

    @Override
    boolean bool(int row, boolean value) {
      values[row] = value;
      return present(row);
    }

    @Override
    public boolean getBoolean(int row) {
      return values[row];
    }
  }

  /** TINYINT, SMALLINT, INT: integers inside the type's range. */
  static final class SmallIntegers extends PropertyVector {
    private final int[] values;
    private final long max;

    SmallIntegers(DataType type, int capacity) {
      super(type, capacity);
      values = new int[capacity];
      max = (1L << (8 * type.defaultSize() - 1)) - 1;
    }

    @Override
    boolean int64(int row, long value) {
      if (value > max || value < -max - 1) {
        return false;
      }
      values[row] = (int) value;
      return present(row);
    }

    @Override
    public byte getByte(int row) {
      return (byte) values[row];
    }

    @Override
    public short getShort(int row) {
      return (short) values[row];
    }

    @Override
    public int getInt(int row) {
      return values[row];
    }
  }

  /** DATE. */
  static final class Dates extends PropertyVector {
    private final int[] values;

    Dates(DataType type, int capacity) {
      super(type, capacity);
      values = new int[capacity];
    }

    @Override
    boolean date(int row, int epochDays) {
      values[row] = epochDays;
      return present(row);
    }

    @Override
    public int getInt(int row) {
      return values[row];
    }
  }

  /** BIGINT. */
  static final class Longs extends PropertyVector {
    private final long[] values;

    Longs(DataType type, int capacity) {
      super(type, capacity);
      values = new long[capacity];
    }

    @Override
    boolean int64(int row, long value) {
      values[row] = value;
      return present(row);
    }

    @Override
    public long getLong(int row) {
      return values[row];
    }
  }

  /** TIMESTAMP, and TIMESTAMP_NTZ as the wall clock in UTC. */
  static final class Timestamps extends PropertyVector {
    private final long[] values;

    Timestamps(DataType type, int capacity) {
      super(type, capacity);
      values = new long[capacity];
    }

    @Override
    boolean datetime(int row, long epochMicros) {
      values[row] = epochMicros;
      return present(row);
    }

    @Override
    public long getLong(int row) {
      return values[row];
    }
  }

  /** DOUBLE: floats, and integers too. */
  static final class Doubles extends PropertyVector {
    private final double[] values;

    Doubles(DataType type, int capacity) {
      super(type, capacity);
      values = new double[capacity];
    }

    @Override
    boolean float64(int row, double value) {
      values[row] = value;
      return present(row);
    }

    @Override
    boolean int64(int row, long value) {
      values[row] = (double) value;
      return present(row);
    }

    @Override
    public double getDouble(int row) {
      return values[row];
    }
  }

  /** FLOAT, on request: nearest float; what would become infinite does not fit. */
  static final class Floats extends PropertyVector {
    private final float[] values;

    Floats(DataType type, int capacity) {
      super(type, capacity);
      values = new float[capacity];
    }

    @Override
    boolean float64(int row, double value) {
      float narrow = (float) value;
      if (Float.isInfinite(narrow)) {
        return false;
      }
      values[row] = narrow;
      return present(row);
    }

    @Override
    boolean int64(int row, long value) {
      values[row] = (float) value;
      return present(row);
    }

    @Override
    public float getFloat(int row) {
      return values[row];
    }
  }
}
