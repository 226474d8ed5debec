package com.namidb.spark.read;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * A predicate on one id column in three-valued logic: the ids for which it is true and those for
 * which it is false; for the rest it is null.
 *
 * @param yes where it is true
 * @param no where it is false, disjoint from {@code yes}
 */
record Truth(KeyRanges yes, KeyRanges no) {
  /** Null for every id, as a comparison with null is. */
  static final Truth UNKNOWN = new Truth(KeyRanges.NONE, KeyRanges.NONE);

  /** True inside, false outside. */
  static Truth inside(KeyRanges ids) {
    return new Truth(ids, complement(ids));
  }

  Truth and(Truth other) {
    return new Truth(yes.intersect(other.yes), union(no, other.no));
  }

  Truth or(Truth other) {
    return new Truth(union(yes, other.yes), no.intersect(other.no));
  }

  Truth not() {
    return new Truth(no, yes);
  }

  /** True stays true, the rest becomes null: {@code x IN (…, NULL)}. */
  Truth orUnknown() {
    return new Truth(yes, KeyRanges.NONE);
  }

  private static KeyRanges union(KeyRanges a, KeyRanges b) {
    List<KeyRange> all = new ArrayList<>(a.ranges());
    all.addAll(b.ranges());
    return KeyRanges.union(all);
  }

  static KeyRanges complement(KeyRanges ids) {
    List<KeyRange> out = new ArrayList<>();
    NodeId next = NodeId.MIN;
    for (KeyRange r : ids.ranges()) {
      if (r.min().compareTo(next) > 0) {
        out.add(new KeyRange(next, r.min().previous()));
      }
      if (r.max().equals(NodeId.MAX)) {
        return new KeyRanges(out);
      }
      next = r.max().next();
    }
    out.add(new KeyRange(next, NodeId.MAX));
    return new KeyRanges(out);
  }
}
