package com.namidb.spark.read;

import com.namidb.format.value.Value;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Whether a whole value tree fits a Spark type; asked before anything of it is written, so that a
 * list never arrives in part. The rules are those of the scalar columns at every level (values
 * §6.1, contract §3).
 */
final class NestedFit {
  private NestedFit() {}

  /**
   * Tests a value.
   *
   * @param nullable whether a null is allowed at this place
   */
  static boolean fits(DataType type, boolean nullable, Value value) {
    if (value instanceof Value.Null) {
      return nullable;
    }
    if (type instanceof StringType) {
      return true;
    }
    if (type instanceof ArrayType array) {
      return array(array, value);
    }
    if (type instanceof MapType map) {
      return value instanceof Value.MapOf m
          && m.entries().values().stream()
              .allMatch(v -> fits(map.valueType(), map.valueContainsNull(), v));
    }
    if (type instanceof StructType struct) {
      return value instanceof Value.MapOf m && struct(struct, m);
    }
    return scalar(type, value);
  }

  private static boolean scalar(DataType type, Value value) {
    if (value instanceof Value.Int64 v) {
      return type instanceof LongType
          || type instanceof DoubleType
          || type instanceof FloatType
          || (type instanceof IntegerType && v.value() == (int) v.value())
          || (type instanceof ShortType && v.value() == (short) v.value())
          || (type instanceof ByteType && v.value() == (byte) v.value());
    }
    if (value instanceof Value.Float64 v) {
      return type instanceof DoubleType
          || (type instanceof FloatType && !Float.isInfinite((float) v.value()));
    }
    if (value instanceof Value.DateTime) {
      return type instanceof TimestampType || type instanceof TimestampNTZType;
    }
    return (type instanceof BooleanType && value instanceof Value.Bool)
        || (type instanceof BinaryType && value instanceof Value.Bytes)
        || (type instanceof DateType && value instanceof Value.Date);
  }

  private static boolean array(ArrayType type, Value value) {
    if (value instanceof Value.ListOf list) {
      for (Value item : list.items()) {
        if (!fits(type.elementType(), type.containsNull(), item)) {
          return false;
        }
      }
      return true;
    }
    if (value instanceof Value.Vector v) {
      return v.components().isEmpty() || takesVectors(type);
    }
    return value instanceof Value.Int8Vector v && (v.codes().isEmpty() || takesVectors(type));
  }

  /** Whether the elements can hold vector components. */
  static boolean takesVectors(ArrayType type) {
    return type.elementType() instanceof FloatType || type.elementType() instanceof DoubleType;
  }

  private static boolean struct(StructType type, Value.MapOf map) {
    for (StructField field : type.fields()) {
      Value value = map.entries().get(field.name());
      if (value == null ? !field.nullable() : !fits(field.dataType(), field.nullable(), value)) {
        return false;
      }
    }
    return true;
  }
}
