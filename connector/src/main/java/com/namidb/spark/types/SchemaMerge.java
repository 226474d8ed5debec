package com.namidb.spark.types;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** One schema for tables that are read as one, such as all edge types. Values §6.1. */
public final class SchemaMerge {
  private SchemaMerge() {}

  /**
   * Joins property columns by name, in order of appearance. Columns of the same type keep it,
   * BIGINT and DOUBLE give DOUBLE, anything else STRING: values of every type can be read as text.
   *
   * @param schemas property columns of each table
   */
  public static StructType merge(List<StructType> schemas) {
    Map<String, DataType> types = new LinkedHashMap<>();
    for (StructType schema : schemas) {
      for (StructField field : schema.fields()) {
        types.merge(field.name(), field.dataType(), SchemaMerge::widen);
      }
    }
    List<StructField> fields = new ArrayList<>();
    types.forEach((name, type) -> fields.add(DataTypes.createStructField(name, type, true)));
    return DataTypes.createStructType(fields);
  }

  private static DataType widen(DataType a, DataType b) {
    if (a.equals(b)) {
      return a;
    }
    if (number(a) && number(b)) {
      return DataTypes.DoubleType;
    }
    if (a instanceof ArrayType x && b instanceof ArrayType y) {
      if (number(x.elementType()) && number(y.elementType())) {
        return DataTypes.createArrayType(
            DataTypes.DoubleType, x.containsNull() || y.containsNull());
      }
    }
    return DataTypes.StringType;
  }

  private static boolean number(DataType type) {
    return type instanceof LongType || type instanceof DoubleType;
  }
}
