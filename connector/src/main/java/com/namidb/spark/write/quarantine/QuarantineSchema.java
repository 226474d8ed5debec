package com.namidb.spark.write.quarantine;

import com.namidb.format.error.WriteErrors;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** The columns of quarantine files: those of the rows, then why and which. Contract §6. */
public final class QuarantineSchema {
  static final String REASON = "_reason";
  static final String KEY = "_key";

  private QuarantineSchema() {}

  /**
   * Refuses columns that a quarantine file could not hold.
   *
   * @throws com.namidb.format.error.InvalidOptionException naming the first
   */
  public static void check(StructType rows) {
    for (StructField field : rows.fields()) {
      if (field.name().equalsIgnoreCase(REASON) || field.name().equalsIgnoreCase(KEY)) {
        throw WriteErrors.column(
            field.name(),
            field.dataType().sql(),
            "Quarantine files use the name: drop the column, or rename it.");
      }
      if (!fits(field.dataType())) {
        throw WriteErrors.column(
            field.name(),
            field.dataType().sql(),
            "Quarantine files cannot hold the type: drop or cast the column, or write without"
                + " quarantine.");
      }
    }
  }

  /** The rows with the two columns more; every column may be null. */
  static StructType of(StructType rows) {
    return rows.asNullable()
        .add(REASON, DataTypes.StringType, true)
        .add(KEY, DataTypes.StringType, true);
  }

  private static boolean fits(DataType type) {
    if (type instanceof ArrayType a) {
      return fits(a.elementType());
    } else if (type instanceof MapType m) {
      return fits(m.keyType()) && fits(m.valueType());
    } else if (type instanceof StructType s) {
      // Parquet has no group without fields.
      boolean all = s.size() > 0;
      for (StructField field : s.fields()) {
        all &= fits(field.dataType());
      }
      return all;
    }
    return type instanceof NumericType
        || type instanceof StringType
        || type instanceof BinaryType
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }
}
