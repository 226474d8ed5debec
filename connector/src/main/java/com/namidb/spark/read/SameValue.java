package com.namidb.spark.read;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Whether two cells hold the very same value: bit by bit, without any collation's rules. */
final class SameValue {
  private SameValue() {}

  static boolean at(SpecializedGetters a, int i, SpecializedGetters b, int j, DataType type) {
    if (a.isNullAt(i) || b.isNullAt(j)) {
      return a.isNullAt(i) && b.isNullAt(j);
    }
    if (type instanceof StringType) {
      return Arrays.equals(a.getUTF8String(i).getBytes(), b.getUTF8String(j).getBytes());
    }
    if (type instanceof ArrayType t) {
      return arrays(a.getArray(i), b.getArray(j), t.elementType());
    }
    if (type instanceof MapType t) {
      MapData x = a.getMap(i);
      MapData y = b.getMap(j);
      return arrays(x.keyArray(), y.keyArray(), t.keyType())
          && arrays(x.valueArray(), y.valueArray(), t.valueType());
    }
    if (type instanceof StructType t) {
      StructField[] fields = t.fields();
      SpecializedGetters x = a.getStruct(i, fields.length);
      SpecializedGetters y = b.getStruct(j, fields.length);
      for (int f = 0; f < fields.length; f++) {
        if (!at(x, f, y, f, fields[f].dataType())) {
          return false;
        }
      }
      return true;
    }
    return scalars(a, i, b, j, type);
  }

  private static boolean scalars(
      SpecializedGetters a, int i, SpecializedGetters b, int j, DataType type) {
    if (type instanceof BinaryType) {
      return Arrays.equals(a.getBinary(i), b.getBinary(j));
    }
    if (type instanceof DoubleType) {
      return Double.doubleToRawLongBits(a.getDouble(i))
          == Double.doubleToRawLongBits(b.getDouble(j));
    }
    if (type instanceof FloatType) {
      return Float.floatToRawIntBits(a.getFloat(i)) == Float.floatToRawIntBits(b.getFloat(j));
    }
    if (type instanceof BooleanType) {
      return a.getBoolean(i) == b.getBoolean(j);
    }
    if (type instanceof IntegerType || type instanceof DateType) {
      return a.getInt(i) == b.getInt(j);
    }
    if (type instanceof ShortType) {
      return a.getShort(i) == b.getShort(j);
    }
    if (type instanceof ByteType) {
      return a.getByte(i) == b.getByte(j);
    }
    return a.getLong(i) == b.getLong(j);
  }

  private static boolean arrays(ArrayData x, ArrayData y, DataType element) {
    if (x.numElements() != y.numElements()) {
      return false;
    }
    for (int e = 0; e < x.numElements(); e++) {
      if (!at(x, e, y, e, element)) {
        return false;
      }
    }
    return true;
  }
}
