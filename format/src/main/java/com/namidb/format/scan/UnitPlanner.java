package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Decides which SSTs are emitted one by one beside their shadows, and which are merged by key.
 *
 * <p>Alone is cheaper as long as few shadows overlap: nothing is copied and the columnar path stays
 * fast. But among n SSTs that all overlap, each key would be read about n/2 times and n² objects
 * opened. So per group of connected ranges: alone, unless shadow rows exceed so many times the base
 * rows or there are more than so many shadows per base ({@link Limits}); then the small ones are
 * merged and the large stay alone; and if the large alone are too many for each other, all are
 * merged. Deciding stops at the limit, so it never visits all pairs.
 *
 * <p>Measured in CPU time, n SSTs of 20,000 rows alone against merged: with n = 4 about 1.5 times
 * as much, with 8 from 1.5 (all columns) to 2.7 (ids only), with 16 from 2.0 to 3.5, with 32 from
 * 2.9 to 5. Alone they are n tasks instead of one, so up to 7 of equal age order (3 shadows each)
 * stay alone.
 */
final class UnitPlanner {
  static final Limits DEFAULT = new Limits(4, 3);

  /** A shadow's rows come in row groups: a narrow base still reads about one of them. */
  private static final long LEAST_SHADOW_ROWS = 131_072;

  private final List<Member> members;
  private final OverlapIndex index;
  private final long splitBytes;
  private final Limits limits;

  UnitPlanner(List<Member> members, OverlapIndex index, long splitBytes, Limits limits) {
    this.limits = limits;
    this.members = members;
    this.index = index;
    this.splitBytes = splitBytes;
  }

  /** Units in key order of their groups; every emitting member is in exactly one. */
  List<BaseUnit> plan() {
    List<BaseUnit> out = new ArrayList<>();
    for (int[] component : index.components()) {
      List<Member> emitting = new ArrayList<>();
      for (int i : component) {
        if (members.get(i).emits()) {
          emitting.add(members.get(i));
        }
      }
      out.addAll(plan(emitting));
    }
    return out;
  }

  private List<BaseUnit> plan(List<Member> emitting) {
    List<BaseUnit> alone = alone(emitting);
    if (emitting.isEmpty() || !tooHot(alone, i -> true, limits.shadows)) {
      return alone;
    }
    List<Member> small = new ArrayList<>();
    List<Member> large = new ArrayList<>();
    for (Member m : emitting) {
      (isLarge(m) ? large : small).add(m);
    }
    List<BaseUnit> largeAlone = alone(large);
    boolean largeOnly =
        tooHot(
            largeAlone, i -> members.get(i).emits() && isLarge(members.get(i)), Integer.MAX_VALUE);
    if (largeOnly) {
      return merged(emitting);
    }
    largeAlone.addAll(merged(small));
    return largeAlone;
  }

  private boolean isLarge(Member m) {
    return m.file().sizeBytes > splitBytes;
  }

  private static List<BaseUnit> alone(List<Member> emitting) {
    List<BaseUnit> out = new ArrayList<>(emitting.size());
    for (Member m : emitting) {
      out.add(new BaseUnit(List.of(m)));
    }
    return out;
  }

  private static List<BaseUnit> merged(List<Member> emitting) {
    List<KeyRange> ranges = new ArrayList<>(emitting.size());
    for (Member m : emitting) {
      ranges.add(m.file().keys());
    }
    List<BaseUnit> out = new ArrayList<>();
    for (int[] group : new OverlapIndex(ranges).components()) {
      List<Member> together = new ArrayList<>(group.length);
      for (int i : group) {
        together.add(emitting.get(i));
      }
      out.add(new BaseUnit(together));
    }
    return out;
  }

  private boolean tooHot(List<BaseUnit> units, IntPredicate counted, int maxShadows) {
    long baseRows = 0;
    for (BaseUnit u : units) {
      baseRows += Math.max(u.rows, 1);
    }
    Heat heat = new Heat((long) limits.shadowRows * baseRows, (long) maxShadows * units.size());
    for (BaseUnit u : units) {
      boolean cool =
          index.visit(
              u.range,
              i -> {
                SliceFile f = members.get(i).file();
                boolean shadows =
                    counted.test(i) && !u.contains(members.get(i)) && u.mayLoseTo(f.maxLsn, f.rank);
                return !shadows || heat.add(estimate(f, u.range));
              });
      if (!cool) {
        return true;
      }
    }
    return false;
  }

  private static long estimate(SliceFile shadow, KeyRange base) {
    double share =
        shadow.keys().intersect(base).map(r -> KeyDensity.share(r, shadow.keys())).orElse(0.0);
    return Math.min(shadow.rows, Math.max(LEAST_SHADOW_ROWS, (long) (share * shadow.rows)));
  }

  /**
   * Up to where SSTs stay alone.
   *
   * @param shadowRows rows read of shadows, as a multiple of the base rows
   * @param shadows shadows per base
   */
  record Limits(int shadowRows, int shadows) {}

  private static final class Heat {
    private final long maxRows;
    private final long maxPairs;
    private long rows;
    private long pairs;

    Heat(long maxRows, long maxPairs) {
      this.maxRows = maxRows;
      this.maxPairs = maxPairs;
    }

    boolean add(long shadowRows) {
      rows += shadowRows;
      pairs++;
      return rows <= maxRows && pairs <= maxPairs;
    }
  }
}
