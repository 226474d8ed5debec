package com.namidb.spark.write.row;

import com.namidb.format.error.WriteErrors;
import com.namidb.spark.options.ValueRules;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** Chooses how values of a Spark type are stored. Source: values §6.1, write table. */
final class CellWriters {
  private final ValueRules rules;

  CellWriters(ValueRules rules) {
    this.rules = rules;
  }

  /**
   * The writer of a type.
   *
   * @param path column name, with the way into nested types
   * @throws com.namidb.format.error.InvalidOptionException if the type cannot be stored
   */
  CellWriter of(String path, DataType type) {
    if (type instanceof StringType) {
      return (from, at, to) -> {
        byte[] utf8 = from.getUTF8String(at).getBytes();
        to.string(utf8, 0, utf8.length);
      };
    } else if (type instanceof LongType) {
      return (from, at, to) -> to.int64(from.getLong(at));
    } else if (type instanceof IntegerType) {
      return (from, at, to) -> to.int64(from.getInt(at));
    } else if (type instanceof ShortType) {
      return (from, at, to) -> to.int64(from.getShort(at));
    } else if (type instanceof ByteType) {
      return (from, at, to) -> to.int64(from.getByte(at));
    } else if (type instanceof DoubleType) {
      return (from, at, to) -> to.float64(from.getDouble(at));
    } else if (type instanceof FloatType) {
      return (from, at, to) -> to.float64(from.getFloat(at));
    } else if (type instanceof BooleanType) {
      return (from, at, to) -> to.bool(from.getBoolean(at));
    } else if (type instanceof NullType) {
      return (from, at, to) -> to.nullValue();
    }
    return special(path, type);
  }

  private CellWriter special(String path, DataType type) {
    if (type instanceof BinaryType) {
      return (from, at, to) -> {
        byte[] bytes = from.getBinary(at);
        to.bytes(bytes, 0, bytes.length);
      };
    } else if (type instanceof DateType) {
      return (from, at, to) -> to.date(from.getInt(at));
    } else if (type instanceof TimestampType) {
      return (from, at, to) -> to.datetime(from.getLong(at));
    } else if (type instanceof TimestampNTZType) {
      if (!rules.ntzAsUtc()) {
        throw WriteErrors.column(
            path,
            type.sql(),
            "Only instants can be stored: set timestamp-ntz=utc to take it as UTC, or cast it.");
      }
      return (from, at, to) -> to.datetime(from.getLong(at));
    } else if (type instanceof DecimalType d) {
      return decimal(path, d);
    } else if (type instanceof ArrayType a) {
      return a.elementType() instanceof FloatType ? vector(path, a, 0) : list(path, a);
    } else if (type instanceof MapType m) {
      return map(path, m);
    } else if (type instanceof StructType s) {
      return struct(path, s);
    }
    throw WriteErrors.column(path, type.sql(), "Nothing stored is like it: cast or drop it.");
  }

  private CellWriter decimal(String path, DecimalType d) {
    int precision = d.precision();
    int scale = d.scale();
    return switch (rules.decimals()) {
      case FAIL ->
          throw WriteErrors.column(
              path, d.sql(), "Set decimals=string (exact) or decimals=double, or cast it.");
      case STRING ->
          (from, at, to) ->
              to.string(from.getDecimal(at, precision, scale).toJavaBigDecimal().toPlainString());
      case DOUBLE ->
          (from, at, to) -> {
            Decimal value = from.getDecimal(at, precision, scale);
            to.float64(value.toJavaBigDecimal().doubleValue());
          };
    };
  }

  /**
   * Arrays of numbers as vectors.
   *
   * @param dim components there must be, 0 for any number
   */
  CellWriter vector(String path, ArrayType array, int dim) {
    FloatCell cell = FloatCell.of(array.elementType());
    return (from, at, to) -> {
      ArrayData data = from.getArray(at);
      int n = data.numElements();
      if (dim > 0 && n != dim) {
        throw RefusedRowException.counted(
            "property '" + path + "': a vector of another length than its index wants",
            "property '" + path + "': a vector of " + n + " components, its index wants " + dim);
      }
      float[] out = new float[n];
      for (int i = 0; i < n; i++) {
        if (data.isNullAt(i)) {
          throw new RefusedRowException("property '" + path + "': a vector with a null component");
        }
        out[i] = cell.at(data, i);
      }
      to.vector(out, n);
    };
  }

  private CellWriter list(String path, ArrayType array) {
    CellWriter element = of(path + ".element", array.elementType());
    return (from, at, to) -> {
      ArrayData data = from.getArray(at);
      to.beginList();
      for (int i = 0; i < data.numElements(); i++) {
        if (data.isNullAt(i)) {
          to.nullValue();
        } else {
          element.write(data, i, to);
        }
      }
      to.endList();
    };
  }

  private CellWriter map(String path, MapType type) {
    if (!(type.keyType() instanceof StringType)) {
      throw WriteErrors.column(path, type.sql(), "Stored maps have STRING keys: cast the keys.");
    }
    CellWriter value = of(path + ".value", type.valueType());
    return (from, at, to) -> {
      MapData data = from.getMap(at);
      ArrayData keys = data.keyArray();
      ArrayData values = data.valueArray();
      to.beginMap();
      for (int i = 0; i < data.numElements(); i++) {
        byte[] key = keys.getUTF8String(i).getBytes();
        to.key(key, 0, key.length);
        if (values.isNullAt(i)) {
          to.nullValue();
        } else {
          value.write(values, i, to);
        }
      }
      to.endMap();
    };
  }

  private CellWriter struct(String path, StructType type) {
    StructField[] fields = type.fields();
    CellWriter[] writers = new CellWriter[fields.length];
    for (int i = 0; i < fields.length; i++) {
      writers[i] = of(path + "." + fields[i].name(), fields[i].dataType());
    }
    return (from, at, to) -> {
      InternalRow row = from.getStruct(at, fields.length);
      to.beginMap();
      for (int i = 0; i < fields.length; i++) {
        if (!row.isNullAt(i)) {
          to.key(fields[i].name());
          writers[i].write(row, i, to);
        }
      }
      to.endMap();
    };
  }

  /** A number narrowed to 32 bits. */
  private interface FloatCell {
    float at(ArrayData data, int i);

    static FloatCell of(DataType type) {
      if (type instanceof FloatType) {
        return ArrayData::getFloat;
      } else if (type instanceof DoubleType) {
        return (data, i) -> (float) data.getDouble(i);
      } else if (type instanceof LongType) {
        return (data, i) -> (float) data.getLong(i);
      } else if (type instanceof IntegerType) {
        return (data, i) -> (float) data.getInt(i);
      } else if (type instanceof ShortType) {
        return ArrayData::getShort;
      } else if (type instanceof ByteType) {
        return ArrayData::getByte;
      } else if (type instanceof DecimalType d) {
        return (data, i) -> data.getDecimal(i, d.precision(), d.scale()).toFloat();
      }
      throw new IllegalStateException("no number: " + type);
    }
  }
}
