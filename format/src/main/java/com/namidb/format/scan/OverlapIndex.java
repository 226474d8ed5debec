package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Finds the SSTs whose key range overlaps a given one: sorted by smallest key, with a tree of
 * greatest keys over it. A query costs O(log n) per hit, so nothing compares all pairs.
 */
final class OverlapIndex {
  private final KeyRange[] sorted;
  private final int[] original;
  private final NodeId[] greatest;

  OverlapIndex(List<KeyRange> ranges) {
    Integer[] order = new Integer[ranges.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> ranges.get(a).min().compareTo(ranges.get(b).min()));
    sorted = new KeyRange[order.length];
    original = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      sorted[i] = ranges.get(order[i]);
      original[i] = order[i];
    }
    greatest = new NodeId[4 * Math.max(1, order.length)];
    if (order.length > 0) {
      build(1, 0, order.length - 1);
    }
  }

  private NodeId build(int node, int from, int to) {
    NodeId max;
    if (from == to) {
      max = sorted[from].max();
    } else {
      int mid = (from + to) >>> 1;
      NodeId a = build(2 * node, from, mid);
      NodeId b = build(2 * node + 1, mid + 1, to);
      max = a.compareTo(b) >= 0 ? a : b;
    }
    greatest[node] = max;
    return max;
  }

  /**
   * Visits the positions (in the list given at the start) of all overlapping ranges, ascending by
   * smallest key, until the visitor answers false.
   *
   * @return false if the visitor stopped
   */
  boolean visit(KeyRange range, IntPredicate visitor) {
    return sorted.length == 0 || visit(1, 0, sorted.length - 1, range, visitor);
  }

  private boolean visit(int node, int from, int to, KeyRange range, IntPredicate visitor) {
    if (greatest[node].compareTo(range.min()) < 0
        || sorted[from].min().compareTo(range.max()) > 0) {
      return true;
    }
    if (from == to) {
      return visitor.test(original[from]);
    }
    int mid = (from + to) >>> 1;
    return visit(2 * node, from, mid, range, visitor)
        && visit(2 * node + 1, mid + 1, to, range, visitor);
  }

  /** Groups of ranges that overlap directly or through others, each and all ascending. */
  List<int[]> components() {
    List<int[]> out = new ArrayList<>();
    int from = 0;
    NodeId end = null;
    for (int i = 0; i < sorted.length; i++) {
      if (end != null && sorted[i].min().compareTo(end) > 0) {
        out.add(Arrays.copyOfRange(original, from, i));
        from = i;
        end = null;
      }
      NodeId max = sorted[i].max();
      end = end == null || max.compareTo(end) > 0 ? max : end;
    }
    if (sorted.length > 0) {
      out.add(Arrays.copyOfRange(original, from, sorted.length));
    }
    return out;
  }
}
