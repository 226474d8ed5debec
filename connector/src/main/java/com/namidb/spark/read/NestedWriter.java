package com.namidb.spark.read;

import com.namidb.format.value.Value;
import com.namidb.spark.types.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Writes value trees that are known to fit ({@link NestedFit}) into Spark's writable vectors. */
final class NestedWriter {
  private NestedWriter() {}

  /** Writes one value at a row; rows of list elements and struct fields are placed alike. */
  static void put(WritableColumnVector out, int row, DataType type, Value value) {
    out.reserve(row + 1);
    if (value == null || value instanceof Value.Null) {
      out.putNull(row);
      return;
    }
    out.putNotNull(row);
    if (type instanceof StringType) {
      byte[] text = JsonText.of(value).getBytes(StandardCharsets.UTF_8);
      out.putByteArray(row, text, 0, text.length);
    } else if (type instanceof ArrayType array) {
      array(out, row, array, value);
    } else if (type instanceof MapType map) {
      map(out, row, map, ((Value.MapOf) value).entries());
    } else if (type instanceof StructType struct) {
      struct(out, row, struct, ((Value.MapOf) value).entries());
    } else {
      scalar(out, row, type, value);
    }
  }

  private static void scalar(WritableColumnVector out, int row, DataType type, Value value) {
    if (value instanceof Value.Int64 v) {
      integer(out, row, type, v.value());
    } else if (value instanceof Value.Float64 v) {
      real(out, row, type, v.value());
    } else if (value instanceof Value.Bool v) {
      out.putBoolean(row, v.value());
    } else if (value instanceof Value.Date v) {
      out.putInt(row, v.epochDays());
    } else if (value instanceof Value.DateTime v) {
      out.putLong(row, v.epochMicros());
    } else if (value instanceof Value.Bytes v) {
      byte[] bytes = HexFormat.of().parseHex(v.hex());
      out.putByteArray(row, bytes, 0, bytes.length);
    } else {
      throw new IllegalStateException(value.type() + " was accepted as " + type.sql());
    }
  }

  private static void integer(WritableColumnVector out, int row, DataType type, long value) {
    if (type instanceof DoubleType || type instanceof FloatType) {
      real(out, row, type, (double) value, (float) value);
      return;
    }
    switch (type.defaultSize()) {
      case 1 -> out.putByte(row, (byte) value);
      case 2 -> out.putShort(row, (short) value);
      case 4 -> out.putInt(row, (int) value);
      default -> out.putLong(row, value);
    }
  }

  private static void real(WritableColumnVector out, int row, DataType type, double value) {
    real(out, row, type, value, (float) value);
  }

  private static void real(
      WritableColumnVector out, int row, DataType type, double wide, float narrow) {
    if (type instanceof DoubleType) {
      out.putDouble(row, wide);
    } else {
      out.putFloat(row, narrow);
    }
  }

  private static void array(WritableColumnVector out, int row, ArrayType type, Value value) {
    if (value instanceof Value.Vector v) {
      floats(out, row, type, v.components());
      return;
    }
    if (value instanceof Value.Int8Vector v) {
      floats(out, row, type, v.codes().stream().map(code -> code * v.scale()).toList());
      return;
    }
    List<Value> items = ((Value.ListOf) value).items();
    WritableColumnVector child = out.arrayData();
    int start = grow(child, items.size());
    for (int i = 0; i < items.size(); i++) {
      put(child, start + i, type.elementType(), items.get(i));
    }
    out.putArray(row, start, items.size());
  }

  private static void floats(
      WritableColumnVector out, int row, ArrayType type, List<Float> components) {
    WritableColumnVector child = out.arrayData();
    int start = grow(child, components.size());
    for (int i = 0; i < components.size(); i++) {
      child.putNotNull(start + i);
      real(child, start + i, type.elementType(), components.get(i));
    }
    out.putArray(row, start, components.size());
  }

  /** Makes room for elements and claims it, so that nested writes append behind. */
  private static int grow(WritableColumnVector child, int elements) {
    int start = child.getElementsAppended();
    child.reserve(start + elements);
    child.addElementsAppended(elements);
    return start;
  }

  private static void map(
      WritableColumnVector out, int row, MapType type, Map<String, Value> entries) {
    WritableColumnVector keys = out.getChild(0);
    WritableColumnVector values = out.getChild(1);
    int start = grow(keys, entries.size());
    grow(values, entries.size());
    int at = start;
    for (Map.Entry<String, Value> entry : entries.entrySet()) {
      byte[] key = entry.getKey().getBytes(StandardCharsets.UTF_8);
      keys.putNotNull(at);
      keys.putByteArray(at, key, 0, key.length);
      put(values, at, type.valueType(), entry.getValue());
      at++;
    }
    out.putArray(row, start, entries.size());
  }

  private static void struct(
      WritableColumnVector out, int row, StructType type, Map<String, Value> entries) {
    StructField[] fields = type.fields();
    for (int i = 0; i < fields.length; i++) {
      put(out.getChild(i), row, fields[i].dataType(), entries.get(fields[i].name()));
    }
  }
}
