package com.namidb.spark.function;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/** One key of text; Spark's generated code calls {@code invoke} directly. */
public final class OfText extends NodeIdOf {
  private static final long serialVersionUID = 1L;

  OfText(DataType[] types) {
    super(types);
  }

  /** The id as text; null if an argument is. */
  public UTF8String invoke(UTF8String label, UTF8String key) {
    return label == null || key == null ? null : text(begin(label).string(key.getBytes()));
  }
}
