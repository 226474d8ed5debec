package com.namidb.format.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The distinct label sets met in one slice, numbered in order of appearance. Records carry the
 * number, so a label test or a Spark array is made once per set and not once per row. Number 0 is
 * always the empty set.
 */
public final class LabelSets {
  /** The number of the empty set. */
  public static final int EMPTY = 0;

  private final List<int[]> sets = new ArrayList<>();
  private final Map<Key, Integer> numbers = new HashMap<>();

  /** Starts with the empty set only. */
  public LabelSets() {
    intern(new int[0], 0);
  }

  /**
   * The number of a set of label ids, new or known.
   *
   * @param ids label ids as stored; the array is not kept
   * @param length how many of them count
   */
  public int intern(int[] ids, int length) {
    int[] copy = Arrays.copyOf(ids, length);
    return numbers.computeIfAbsent(
        new Key(copy),
        k -> {
          sets.add(k.ids);
          return sets.size() - 1;
        });
  }

  /** The label ids of a set; not to be modified. */
  public int[] ids(int number) {
    return sets.get(number);
  }

  /** How many distinct sets there are so far. */
  public int size() {
    return sets.size();
  }

  private static final class Key {
    private final int[] ids;

    Key(int[] ids) {
      this.ids = ids;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key k && Arrays.equals(ids, k.ids);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(ids);
    }
  }
}
