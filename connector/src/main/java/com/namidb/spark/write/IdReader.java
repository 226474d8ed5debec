package com.namidb.spark.write;

import com.namidb.format.id.DerivedId;
import com.namidb.format.id.IdText;
import com.namidb.format.id.NodeId;
import java.security.SecureRandom;
import org.apache.spark.sql.catalyst.InternalRow;
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
import org.apache.spark.unsafe.types.UTF8String;

/** Takes ids out of rows. Not thread-safe. */
final class IdReader {
  private final IdSource source;
  private final DerivedId derived = new DerivedId();
  private final SecureRandom random = new SecureRandom();

  IdReader(IdSource source) {
    this.source = source;
  }

  /** Whether ids can be derived from values of a type: those with one exact text. */
  static boolean derivable(DataType type) {
    return type instanceof StringType
        || type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || type instanceof LongType
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof BinaryType
        || type instanceof DecimalType;
  }

  /**
   * The id of a row.
   *
   * @throws RefusedRowException if it has none
   */
  NodeId read(InternalRow row) {
    if (source instanceof IdSource.Given given) {
      return given(row, given);
    }
    if (source instanceof IdSource.Derived d) {
      derived.begin(d.label());
      for (IdSource.Key key : d.keys()) {
        if (row.isNullAt(key.column())) {
          throw new RefusedRowException("key column '" + key.name() + "' is null");
        }
        add(row, key);
      }
      return derived.id();
    }
    return fresh();
  }

  private static NodeId given(InternalRow row, IdSource.Given given) {
    if (row.isNullAt(given.column())) {
      throw new RefusedRowException("column '" + given.name() + "' is null");
    }
    if (given.binary()) {
      byte[] bytes = row.getBinary(given.column());
      if (bytes.length != NodeId.BYTES) {
        throw RefusedRowException.counted(
            "column '" + given.name() + "' does not hold 16 bytes",
            "column '" + given.name() + "' holds " + bytes.length + " bytes instead of 16");
      }
      return NodeId.of(bytes, 0);
    }
    UTF8String utf8 = row.getUTF8String(given.column());
    NodeId usual = IdText.parseHyphenated(utf8.getBytes());
    if (usual != null) {
      return usual;
    }
    String text = utf8.toString();
    try {
      return NodeId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new RefusedRowException(
          "column '" + given.name() + "' holds no UUID", ": '" + text + "'");
    }
  }

  private void add(InternalRow row, IdSource.Key key) {
    int i = key.column();
    DataType type = key.type();
    if (type instanceof StringType) {
      derived.string(row.getUTF8String(i).getBytes());
    } else if (type instanceof LongType) {
      derived.integer(row.getLong(i));
    } else if (type instanceof IntegerType) {
      derived.integer(row.getInt(i));
    } else if (type instanceof ShortType) {
      derived.integer(row.getShort(i));
    } else if (type instanceof ByteType) {
      derived.integer(row.getByte(i));
    } else if (type instanceof BooleanType) {
      derived.bool(row.getBoolean(i));
    } else if (type instanceof DateType) {
      derived.date(row.getInt(i));
    } else if (type instanceof TimestampType) {
      derived.timestamp(row.getLong(i));
    } else if (type instanceof BinaryType) {
      derived.binary(row.getBinary(i));
    } else if (type instanceof DecimalType d) {
      derived.decimal(row.getDecimal(i, d.precision(), d.scale()).toJavaBigDecimal());
    } else {
      throw new IllegalStateException("no key of type " + type);
    }
  }

  /** UUID version 7: milliseconds first, so that files of later jobs do not overlap much. */
  private NodeId fresh() {
    long hi = (System.currentTimeMillis() << 16) | 0x7000L | random.nextInt(0x1000);
    long lo = (random.nextLong() & ~(0xC0L << 56)) | (0x80L << 56);
    return new NodeId(hi, lo);
  }
}
