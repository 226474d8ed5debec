package com.namidb.spark.read;

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
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** Which vector holds a property column of which type. */
final class PropertyVectors {
  private PropertyVectors() {}

  static PropertyVector of(DataType type, int capacity) {
    if (type instanceof StringType) {
      return new BytesVectors.Texts(type, capacity);
    }
    if (type instanceof LongType) {
      return new ScalarVectors.Longs(type, capacity);
    }
    if (type instanceof DoubleType) {
      return new ScalarVectors.Doubles(type, capacity);
    }
    if (type instanceof BooleanType) {
      return new ScalarVectors.Booleans(type, capacity);
    }
    if (type instanceof IntegerType || type instanceof ShortType || type instanceof ByteType) {
      return new ScalarVectors.SmallIntegers(type, capacity);
    }
    if (type instanceof FloatType) {
      return new ScalarVectors.Floats(type, capacity);
    }
    if (type instanceof DateType) {
      return new ScalarVectors.Dates(type, capacity);
    }
    if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return new ScalarVectors.Timestamps(type, capacity);
    }
    if (type instanceof BinaryType) {
      return new BytesVectors.Binaries(type, capacity);
    }
    if (type instanceof ArrayType || type instanceof MapType || type instanceof StructType) {
      return new NestedVector(type, capacity);
    }
    throw new IllegalStateException("planning let through a column of type " + type.sql());
  }
}
