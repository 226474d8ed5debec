package com.namidb.spark.options;

/** What a write does with its rows. Contract §6. */
public enum WriteMode {
  /** New ids only. */
  INSERT,
  /** Replaces whole records by id. */
  UPSERT,
  /** Deletes the records that rows name. */
  DELETE
}
