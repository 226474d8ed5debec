package com.namidb.spark.types;

/** How id columns look. Contract §3, option {@code id-format}. */
public enum IdFormat {
  /** UUID text. */
  TEXT,
  /** Sixteen bytes. */
  BINARY
}
