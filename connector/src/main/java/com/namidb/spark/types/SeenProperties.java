package com.namidb.spark.types;

import com.namidb.format.value.TypeSummary;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/** What was seen of every property of some records; goes from tasks to the driver. */
final class SeenProperties implements Serializable {
  private static final long serialVersionUID = 1L;

  private final HashMap<String, TypeSummary> byName;
  private long skipped;

  /**
   * Holds what was seen.
   *
   * @param byName summaries by property name
   * @param skipped records that could not be decoded
   */
  SeenProperties(Map<String, TypeSummary> byName, long skipped) {
    this.byName = new HashMap<>(byName);
    this.skipped = skipped;
  }

  /** Nothing seen. */
  static SeenProperties none() {
    return new SeenProperties(Map.of(), 0);
  }

  /** Adds what was seen elsewhere. */
  SeenProperties merge(SeenProperties other) {
    other.byName.forEach((name, seen) -> byName.merge(name, seen, TypeSummary::merge));
    skipped += other.skipped;
    return this;
  }

  /** Summaries by property name. */
  Map<String, TypeSummary> byName() {
    return byName;
  }

  /** Records that could not be decoded. */
  long skippedRecords() {
    return skipped;
  }
}
