package com.namidb.spark.types;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/** What was seen of every property of some records; goes from tasks to the driver. */
final class SeenProperties implements Serializable {
  private static final long serialVersionUID = 1L;

  private long skipped;

  /**
   * Adds one record.
   *
   * @throws com.namidb.format.value.InvalidJsonException if it cannot be decoded
   */
  void observe(byte[] json, int offset, int length) {
    throw new IllegalStateException("not built yet: " + json.length + offset + length);
  }

  /** Counts a record that could not be decoded. */
  void skipped() {
    skipped++;
  }

  /** Records that could not be decoded. */
  long skippedRecords() {
    return skipped;
  }

  /** Adds what was seen elsewhere. */
  SeenProperties merge(SeenProperties other) {
    skipped += other.skipped;
    return this;
  }

  /** What was seen, by property name. */
  Map<String, ObservedType> byName() {
    return new HashMap<>();
  }
}
