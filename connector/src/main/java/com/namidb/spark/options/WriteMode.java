package com.namidb.spark.options;

import java.util.Locale;

/** What a write does with its rows. Contract §6. */
public enum WriteMode {
  /** New ids only. */
  INSERT,
  /** Replaces whole records by id. */
  UPSERT,
  /** Changes the properties and labels that rows give, of records that exist. */
  PATCH,
  /** Replaces the whole content of a table; chosen by Spark's save mode. */
  OVERWRITE,
  /** Deletes the records that rows name. */
  DELETE;

  /** Its name in lower case, as plans and receipts show it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the rows of the graph decide what is written. */
  public boolean readsGraph() {
    return this == PATCH || this == OVERWRITE;
  }
}
