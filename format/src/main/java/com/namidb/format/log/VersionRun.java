package com.namidb.format.log;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Numbers of versions, unsigned, that should run without a gap up to a last one. */
final class VersionRun {
  private final NavigableSet<Long> numbers = new TreeSet<>(Long::compareUnsigned);

  /**
   * Versions that are missing in a row.
   *
   * @param first the oldest of them
   * @param last the newest
   */
  record Gap(long first, long last) {
    long count() {
      return last - first + 1;
    }

    /** As in "version 3" or "versions 3 to 5". */
    String text() {
      String from = Long.toUnsignedString(first);
      return first == last
          ? "version " + from
          : "versions " + from + " to " + Long.toUnsignedString(last);
    }
  }

  void add(long version) {
    numbers.add(version);
  }

  OptionalLong newest() {
    return numbers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(numbers.last());
  }

  /** Gaps above the oldest number that is not below {@code first}, up to {@code last}. */
  List<Gap> gapsAbove(long first, long last) {
    Long oldest = numbers.ceiling(first);
    return oldest == null || Long.compareUnsigned(oldest, last) > 0
        ? new ArrayList<>()
        : gaps(oldest, last);
  }

  /** Gaps from {@code first} to {@code last}, which is not below it. */
  List<Gap> gaps(long first, long last) {
    List<Gap> out = new ArrayList<>();
    long next = first;
    for (long v : numbers.subSet(first, true, last, true)) {
      if (v != next) {
        out.add(new Gap(next, v - 1));
      }
      if (v == last) {
        return out;
      }
      next = v + 1;
    }
    out.add(new Gap(next, last));
    return out;
  }
}
