package com.namidb.spark.function;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/** One integer key; Spark's generated code calls {@code invoke} directly. */
public final class OfInteger extends NodeIdOf {
  private static final long serialVersionUID = 1L;

  OfInteger(DataType[] types) {
    super(types);
  }

  /** The id as text; null if the label is. Spark does not call it for a key that is null. */
  public UTF8String invoke(UTF8String label, long key) {
    return label == null ? null : text(begin(label).integer(key));
  }
}
