package com.namidb.spark.metadata;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Rows from plain Java values. */
final class Cells {
  private Cells() {}

  /** A row of these cells; text is converted, anything else stands for itself. */
  static InternalRow row(Object... cells) {
    Object[] out = new Object[cells.length];
    for (int i = 0; i < cells.length; i++) {
      out[i] = cells[i] instanceof String s ? UTF8String.fromString(s) : cells[i];
    }
    return new GenericInternalRow(out);
  }
}
