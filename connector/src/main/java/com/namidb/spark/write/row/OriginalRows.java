package com.namidb.spark.write.row;

import com.namidb.format.stage.RowSorter;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Rows as bytes behind a record's content: the row, then its size. Not thread-safe: each call
 * reuses the row of the one before.
 */
public final class OriginalRows {
  private static final int INT = 4;

  private final StructType type;
  private final UnsafeRow read;
  private UnsafeProjection projection;

  /**
   * Prepares it.
   *
   * @param type of the rows
   */
  public OriginalRows(StructType type) {
    this.type = type;
    read = new UnsafeRow(type.size());
  }

  /** The row in the form whose bytes can be kept. */
  public UnsafeRow of(InternalRow row) {
    if (row instanceof UnsafeRow unsafe) {
      return unsafe;
    }
    if (projection == null) {
      projection = UnsafeProjection.create(type);
    }
    return projection.apply(row);
  }

  /** Bytes a record needs for a row. */
  static int length(UnsafeRow row) {
    return Math.addExact(row.getSizeInBytes(), INT);
  }

  /** Puts a row into a record. */
  static void put(UnsafeRow row, byte[] to, int at) {
    int size = row.getSizeInBytes();
    row.writeToMemory(to, Platform.BYTE_ARRAY_OFFSET + (long) at);
    RowSorter.putInt(to, at + size, size);
  }

  /**
   * How much of a record's content is its row.
   *
   * @param end where the content ends
   */
  public static int lengthAt(byte[] record, int end) {
    return RowSorter.intAt(record, end - INT) + INT;
  }

  /** The row at the end of a record's content; a copy. */
  public UnsafeRow read(byte[] record, int end) {
    int size = RowSorter.intAt(record, end - INT);
    return row(Arrays.copyOfRange(record, end - INT - size, end - INT));
  }

  /** The row with these bytes. */
  public UnsafeRow row(byte[] bytes) {
    read.pointTo(bytes, bytes.length);
    return read;
  }
}
