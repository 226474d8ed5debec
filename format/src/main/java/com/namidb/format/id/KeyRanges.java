package com.namidb.format.id;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A set of ids as sorted, disjoint, inclusive ranges: what a predicate on an id column allows. A
 * single id is a range of one.
 *
 * @param ranges ascending, disjoint; empty means no id at all
 */
public record KeyRanges(List<KeyRange> ranges) implements Serializable {
  /** Every id. */
  public static final KeyRanges ALL = new KeyRanges(List.of(KeyRange.ALL));

  /** No id. */
  public static final KeyRanges NONE = new KeyRanges(List.of());

  /** Copies the list into a form every serialiser can handle. */
  public KeyRanges {
    ranges = new ArrayList<>(ranges);
  }

  /** One range. */
  public static KeyRanges of(KeyRange range) {
    return new KeyRanges(List.of(range));
  }

  /** The given single ids. */
  public static KeyRanges ofIds(Collection<NodeId> ids) {
    List<KeyRange> out = new ArrayList<>(ids.size());
    for (NodeId id : ids) {
      out.add(new KeyRange(id, id));
    }
    return union(out);
  }

  /** The union of ranges in any order; overlapping ones are joined. */
  public static KeyRanges union(Collection<KeyRange> parts) {
    List<KeyRange> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparing(KeyRange::min));
    List<KeyRange> out = new ArrayList<>(sorted.size());
    for (KeyRange r : sorted) {
      int last = out.size() - 1;
      if (last >= 0 && out.get(last).overlaps(r)) {
        out.set(last, out.get(last).union(r));
      } else {
        out.add(r);
      }
    }
    return new KeyRanges(out);
  }

  /** What at least two of the ranges cover; they come in any order. */
  public static KeyRanges shared(Collection<KeyRange> parts) {
    List<KeyRange> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparing(KeyRange::min));
    List<KeyRange> twice = new ArrayList<>();
    KeyRange farthest = null;
    for (KeyRange r : sorted) {
      if (farthest != null) {
        r.intersect(farthest).ifPresent(twice::add);
      }
      if (farthest == null || r.max().compareTo(farthest.max()) > 0) {
        farthest = r;
      }
    }
    return union(twice);
  }

  /** Tells whether there is no restriction. */
  public boolean isAll() {
    return ranges.size() == 1 && ranges.get(0).equals(KeyRange.ALL);
  }

  /** Tells whether no id is allowed. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Tells whether the id given as halves is in the set; binary search. */
  public boolean contains(long hi, long lo) {
    int i = firstEndingAtOrAfter(hi, lo);
    return i < ranges.size() && ranges.get(i).contains(hi, lo);
  }

  /** Tells whether some id of {@code range} is in the set. */
  public boolean overlaps(KeyRange range) {
    int i = firstEndingAtOrAfter(range.min().hi(), range.min().lo());
    return i < ranges.size() && ranges.get(i).overlaps(range);
  }

  /** The ids in both sets. */
  public KeyRanges intersect(KeyRanges other) {
    List<KeyRange> out = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < ranges.size() && j < other.ranges.size()) {
      KeyRange a = ranges.get(i);
      KeyRange b = other.ranges.get(j);
      a.intersect(b).ifPresent(out::add);
      if (a.max().compareTo(b.max()) < 0) {
        i++;
      } else {
        j++;
      }
    }
    return new KeyRanges(out);
  }

  private int firstEndingAtOrAfter(long hi, long lo) {
    int a = 0;
    int z = ranges.size();
    while (a < z) {
      int m = (a + z) >>> 1;
      NodeId max = ranges.get(m).max();
      if (NodeId.compare(max.hi(), max.lo(), hi, lo) < 0) {
        a = m + 1;
      } else {
        z = m;
      }
    }
    return a;
  }
}
