package com.namidb.spark.types;

import com.namidb.format.id.DerivedId;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;

/** Values of Spark as parts of a derived id: the same for writes and in SQL. Contract §6. */
public final class KeyParts {
  private KeyParts() {}

  /** Whether ids can be derived from values of a type: those with one exact text. */
  public static boolean derivable(DataType type) {
    return type instanceof StringType
        || isInteger(type)
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof BinaryType
        || type instanceof DecimalType;
  }

  /** Whether it is an integer of any width: they all give the same id. */
  public static boolean isInteger(DataType type) {
    return type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || type instanceof LongType;
  }

  /**
   * Adds a value that is not null.
   *
   * @param type one that is {@link #derivable}
   */
  public static void add(DerivedId id, SpecializedGetters row, int i, DataType type) {
    if (type instanceof StringType) {
      id.string(row.getUTF8String(i).getBytes());
    } else if (type instanceof LongType) {
      id.integer(row.getLong(i));
    } else if (type instanceof IntegerType) {
      id.integer(row.getInt(i));
    } else if (type instanceof ShortType) {
      id.integer(row.getShort(i));
    } else if (type instanceof ByteType) {
      id.integer(row.getByte(i));
    } else if (type instanceof BooleanType) {
      id.bool(row.getBoolean(i));
    } else if (type instanceof DateType) {
      id.date(row.getInt(i));
    } else if (type instanceof TimestampType) {
      id.timestamp(row.getLong(i));
    } else if (type instanceof BinaryType) {
      id.binary(row.getBinary(i));
    } else if (type instanceof DecimalType d) {
      id.decimal(row.getDecimal(i, d.precision(), d.scale()).toJavaBigDecimal());
    } else {
      throw new IllegalStateException("no key of type " + type);
    }
  }
}
