package com.namidb.spark.types;

/**
 * What happens to a stored value that does not fit its column. Contract §3, option {@code
 * on-mismatch}.
 */
public enum OnMismatch {
  /** The query fails, naming the row's id, the property and the stored type. */
  FAIL,
  /** The cell is null and counted. */
  NULL
}
