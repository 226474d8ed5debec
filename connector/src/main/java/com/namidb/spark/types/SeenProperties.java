package com.namidb.spark.types;

import com.namidb.format.value.TypeSummary;
import com.namidb.format.value.ValueType;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

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

  /** The type of each property that has values of one type only; none if a record was skipped. */
  Map<String, ValueType> kinds() {
    Map<String, ValueType> out = new HashMap<>();
    if (skipped == 0) {
      byName.forEach(
          (name, seen) -> {
            Set<ValueType> types = seen.types();
            types.remove(ValueType.NULL);
            if (types.size() == 1 && !GraphColumns.RESERVED.contains(name)) {
              out.put(name, types.iterator().next());
            }
          });
    }
    return Map.copyOf(out);
  }

  /** Records that could not be decoded. */
  long skippedRecords() {
    return skipped;
  }
}
