package com.namidb.format.scan;

import com.namidb.format.record.LabelSets;
import java.util.Arrays;

/**
 * Label sets of one version as sets of the difference: sorted ids without the unknown ones, so that
 * equal numbers mean equal labels.
 */
final class DiffLabels {
  private final LabelSets from;
  private final LabelSets to;
  private final int[] map;
  private int[] numbers = new int[0];

  /**
   * Translates.
   *
   * @param map id of the difference by id of the version; other ids are unknown
   */
  DiffLabels(LabelSets from, LabelSets to, int[] map) {
    this.from = from;
    this.to = to;
    this.map = map;
  }

  /** The number in the difference of a set of the version. */
  int number(int set) {
    if (set >= numbers.length) {
      int known = numbers.length;
      numbers = Arrays.copyOf(numbers, Math.max(set + 1, 2 * known));
      Arrays.fill(numbers, known, numbers.length, -1);
    }
    if (numbers[set] < 0) {
      int[] ids =
          Arrays.stream(from.ids(set))
              .filter(id -> id >= 0 && id < map.length)
              .map(id -> map[id])
              .sorted()
              .distinct()
              .toArray();
      numbers[set] = to.intern(ids, ids.length);
    }
    return numbers[set];
  }
}
