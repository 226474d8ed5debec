package com.namidb.format.value;

import java.util.List;
import java.util.Map;

/**
 * A property value as a tree, for lists, maps and code that is not a hot path. Source: values §1.2.
 */
public sealed interface Value {
  /** The type tag. */
  ValueType type();

  /** Stored explicit null. */
  record Null() implements Value {
    @Override
    public ValueType type() {
      return ValueType.NULL;
    }
  }

  /** Boolean. */
  record Bool(boolean value) implements Value {
    @Override
    public ValueType type() {
      return ValueType.BOOL;
    }
  }

  /** Signed 64-bit integer. */
  record Int64(long value) implements Value {
    @Override
    public ValueType type() {
      return ValueType.INT64;
    }
  }

  /** 64-bit float. */
  record Float64(double value) implements Value {
    @Override
    public ValueType type() {
      return ValueType.FLOAT64;
    }
  }

  /** Text. */
  record Str(String value) implements Value {
    @Override
    public ValueType type() {
      return ValueType.STRING;
    }
  }

  /**
   * Raw bytes.
   *
   * @param hex the bytes as lower-case hex, so that the record compares by content
   */
  record Bytes(String hex) implements Value {
    @Override
    public ValueType type() {
      return ValueType.BYTES;
    }
  }

  /** 32-bit float vector. */
  record Vector(List<Float> components) implements Value {
    @Override
    public ValueType type() {
      return ValueType.VECTOR;
    }
  }

  /** Quantised vector: component i is {@code codes[i] * scale}. */
  record Int8Vector(float scale, List<Byte> codes) implements Value {
    @Override
    public ValueType type() {
      return ValueType.INT8_VECTOR;
    }
  }

  /** Days since 1970-01-01. */
  record Date(int epochDays) implements Value {
    @Override
    public ValueType type() {
      return ValueType.DATE;
    }
  }

  /** Microseconds since 1970-01-01T00:00:00Z. */
  record DateTime(long epochMicros) implements Value {
    @Override
    public ValueType type() {
      return ValueType.DATETIME;
    }
  }

  /** List of any values. */
  record ListOf(List<Value> items) implements Value {
    @Override
    public ValueType type() {
      return ValueType.LIST;
    }
  }

  /** Map of any values, in stored order without duplicates. */
  record MapOf(Map<String, Value> entries) implements Value {
    @Override
    public ValueType type() {
      return ValueType.MAP;
    }
  }
}
