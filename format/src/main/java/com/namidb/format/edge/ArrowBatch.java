package com.namidb.format.edge;

import com.namidb.format.error.CorruptObjectException;
import java.util.function.Function;

/** The first column of an Arrow record batch: validity bits, 32-bit offsets, text. */
final class ArrowBatch {
  private final byte[] body;
  private final int rows;
  private final int validity;
  private final int offsets;
  private final int text;

  private ArrowBatch(byte[] body, int rows, int validity, int offsets, int text) {
    this.body = body;
    this.rows = rows;
    this.validity = validity;
    this.offsets = offsets;
    this.text = text;
  }

  /**
   * Finds the buffers and checks all offsets.
   *
   * @param records the {@code RecordBatch} table
   * @param length bytes of the body
   */
  static ArrowBatch parse(
      FlatTable records,
      byte[] body,
      int length,
      Function<String, CorruptObjectException> damaged) {
    long rows = records.i64(0);
    if (rows == 0) {
      return new ArrowBatch(body, 0, -1, 0, 0);
    }
    if (rows < 0 || rows > length) {
      throw damaged.apply("a batch of " + rows + " rows in " + length + " bytes");
    }
    if (records.i64In(1, 0, 0) != rows) {
      throw damaged.apply("a column with another number of rows than its batch");
    }
    long nulls = records.i64In(1, 0, 8);
    long bits = records.i64In(2, 0, 8);
    for (int i = 0; i < 3; i++) {
      long from = records.i64In(2, i, 0);
      long size = records.i64In(2, i, 8);
      if (from < 0 || size < 0 || from > length || size > length - from) {
        throw damaged.apply("an Arrow buffer leaves its body");
      }
    }
    if ((nulls != 0 && bits < (rows + 7) / 8) || records.i64In(2, 1, 8) < 4 * (rows + 1)) {
      throw damaged.apply("an Arrow buffer is too short for " + rows + " rows");
    }
    int validity = nulls == 0 ? -1 : (int) records.i64In(2, 0, 0);
    int offsets = (int) records.i64In(2, 1, 0);
    int text = (int) records.i64In(2, 2, 0);
    long size = records.i64In(2, 2, 8);
    int before = 0;
    for (int i = 0; i <= rows; i++) {
      int o = LeBytes.i32(body, offsets + 4 * i);
      if (o < before || o > size) {
        throw damaged.apply("Arrow offsets do not ascend");
      }
      before = o;
    }
    return new ArrowBatch(body, (int) rows, validity, offsets, text);
  }

  int rows() {
    return rows;
  }

  boolean isNull(int row) {
    return validity >= 0 && (body[validity + (row >> 3)] >> (row & 7) & 1) == 0;
  }

  /** Where the text of a row starts in the body. */
  int start(int row) {
    return text + LeBytes.i32(body, offsets + 4 * row);
  }

  /** Where it ends. */
  int end(int row) {
    return start(row + 1);
  }
}
