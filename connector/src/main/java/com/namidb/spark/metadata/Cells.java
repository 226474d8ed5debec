package com.namidb.spark.metadata;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Rows from plain Java values. */
public final class Cells {
  private Cells() {}

  /** A row of these cells; text and lists of text are converted, anything else is itself. */
  public static InternalRow row(Object... cells) {
    Object[] out = new Object[cells.length];
    for (int i = 0; i < cells.length; i++) {
      out[i] = cell(cells[i]);
    }
    return new GenericInternalRow(out);
  }

  private static Object cell(Object value) {
    if (value instanceof String s) {
      return UTF8String.fromString(s);
    }
    return value instanceof List<?> list
        ? new GenericArrayData(list.stream().map(Cells::cell).toArray())
        : value;
  }
}
