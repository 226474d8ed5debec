package com.namidb.spark.options;

import com.namidb.format.error.WriteErrors;
import java.util.Locale;
import java.util.Map;

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

  /**
   * Reads it.
   *
   * @param overwrite whether Spark's save mode says it all
   * @throws com.namidb.format.error.InvalidOptionException if both say it
   */
  static WriteMode of(OptionReader options, boolean overwrite) {
    if (overwrite && options.own(WriteNames.MODE).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'write-mode' is given for an overwrite, which replaces the whole table",
          "Leave it out, or use mode(\"append\").");
    }
    return overwrite
        ? OVERWRITE
        : options.ownChoice(
            WriteNames.MODE,
            Map.of(
                "insert", INSERT,
                "upsert", UPSERT,
                "patch", PATCH,
                "delete", DELETE),
            INSERT);
  }

  /** Its name in lower case, as plans and receipts show it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the rows of the graph decide what is written. */
  public boolean readsGraph() {
    return this == PATCH || this == OVERWRITE;
  }
}
