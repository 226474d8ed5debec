package com.namidb.spark.types;

import com.namidb.format.error.RowErrors;
import java.util.Arrays;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** Schemas given by users: what can be read, and in which form. Contract §3, values §6.1, §6.3. */
public final class SparkSchemas {
  private static final String VALUES =
      "BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, STRING, BINARY, DATE, TIMESTAMP,"
          + " TIMESTAMP_NTZ, ARRAY, MAP with STRING keys, STRUCT";

  private SparkSchemas() {}

  /**
   * Checks a user's schema and makes every property column nullable, because a property can be
   * missing in any record.
   *
   * @param schema columns in the user's order
   * @return the same columns in the same order
   * @throws com.namidb.format.error.InvalidOptionException if a column has a type no stored value
   *     can be read as, or one of ours has a type it does not come in
   */
  public static StructType readable(StructType schema) {
    StructField[] out = new StructField[schema.size()];
    for (int i = 0; i < out.length; i++) {
      StructField field = schema.fields()[i];
      if (GraphColumns.RESERVED.contains(field.name())) {
        checkOurs(field);
        out[i] = field;
      } else {
        checkValue(field.name(), field.dataType());
        out[i] = new StructField(field.name(), field.dataType(), true, field.metadata());
      }
    }
    return new StructType(out);
  }

  /** The columns of a table, by name, type and nullability alone. */
  public static Column[] columns(StructType schema) {
    return Arrays.stream(schema.fields())
        .map(f -> Column.create(f.name(), f.dataType(), f.nullable()))
        .toArray(Column[]::new);
  }

  /** The reverse of {@link #columns}. */
  public static StructType of(Column[] columns) {
    return new StructType(
        Arrays.stream(columns)
            .map(c -> new StructField(c.name(), c.dataType(), c.nullable(), Metadata.empty()))
            .toArray(StructField[]::new));
  }

  private static void checkOurs(StructField field) {
    DataType type = field.dataType();
    String accepted =
        switch (field.name()) {
          case GraphColumns.ID, GraphColumns.SRC, GraphColumns.DST ->
              type instanceof StringType || type instanceof BinaryType ? null : "STRING, BINARY";
          case GraphColumns.LABELS ->
              type instanceof ArrayType a && a.elementType() instanceof StringType
                  ? null
                  : "ARRAY<STRING>";
          case GraphColumns.TYPE, GraphColumns.SST, GraphColumns.JSON ->
              type instanceof StringType ? null : "STRING";
          case GraphColumns.LSN, GraphColumns.SNAPSHOT_ID ->
              type instanceof LongType ? null : "BIGINT";
          case GraphColumns.LEVEL -> type instanceof IntegerType ? null : "INT";
          default -> "";
        };
    if ("".equals(accepted)) {
      throw RowErrors.reserved(field.name());
    }
    if (accepted != null) {
      throw RowErrors.columnType(field.name(), type.sql(), accepted);
    }
  }

  private static void checkValue(String path, DataType type) {
    if (type instanceof ArrayType array) {
      checkValue(path + ".element", array.elementType());
    } else if (type instanceof MapType map) {
      if (!(map.keyType() instanceof StringType)) {
        throw RowErrors.columnType(path, type.sql(), "MAP with STRING keys");
      }
      checkValue(path + ".value", map.valueType());
    } else if (type instanceof StructType struct) {
      for (StructField field : struct.fields()) {
        checkValue(path + "." + field.name(), field.dataType());
      }
    } else if (!scalar(type)) {
      throw RowErrors.columnType(path, type.sql(), VALUES);
    }
  }

  private static boolean scalar(DataType type) {
    return type instanceof StringType
        || type instanceof LongType
        || type instanceof DoubleType
        || type instanceof BooleanType
        || type instanceof IntegerType
        || type instanceof ShortType
        || type instanceof ByteType
        || type instanceof FloatType
        || type instanceof BinaryType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }

  /**
   * The type of a property that is declared but was never seen. Source: values §6.3.
   *
   * @param declared {@code data_type} of the declaration
   */
  public static DataType declared(String declared) {
    return switch (declared) {
      case "Bool" -> DataTypes.BooleanType;
      case "Int32", "Int64" -> DataTypes.LongType;
      case "Float32", "Float64" -> DataTypes.DoubleType;
      case "Binary" -> DataTypes.BinaryType;
      case "Date32" -> DataTypes.DateType;
      case "TimestampMicrosUtc" -> DataTypes.TimestampType;
      case "FloatVector", "Int8Vector" -> DataTypes.createArrayType(DataTypes.FloatType, false);
      default -> DataTypes.StringType;
    };
  }
}
