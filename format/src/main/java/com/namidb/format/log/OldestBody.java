package com.namidb.format.log;

import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Finds the oldest version whose body is still there. Bodies are collected from the low end, so the
 * ones left run without a gap up to the current one: one HEAD if nothing was ever collected, else
 * about 2·log2(versions left). Source: manifest §3.1, §3.3.
 */
final class OldestBody {
  private final LongPredicate exists;
  private final long first;

  /**
   * Makes no request.
   *
   * @param exists whether a version has a body: one HEAD
   * @param first no version before it can have one
   */
  OldestBody(LongPredicate exists, long first) {
    this.exists = exists;
    this.first = first;
  }

  /** Searches downwards from a version; empty if even that one has no body at its place. */
  OptionalLong find(long top) {
    if (exists.test(first)) {
      return OptionalLong.of(first);
    }
    if (top == first || !exists.test(top)) {
      return OptionalLong.empty();
    }
    long present = top;
    long absent = first;
    for (long step = 1; Long.compareUnsigned(step, present - first) < 0; step <<= 1) {
      long v = present - step;
      if (!exists.test(v)) {
        absent = v;
        break;
      }
      present = v;
    }
    while (present - absent > 1) {
      long middle = absent + ((present - absent) >>> 1);
      if (exists.test(middle)) {
        present = middle;
      } else {
        absent = middle;
      }
    }
    return OptionalLong.of(present);
  }
}
