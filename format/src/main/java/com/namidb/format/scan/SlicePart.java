package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;

/**
 * A base with its shadows within a key range. The base is one SST, several merged by key, or the
 * WAL.
 */
final class SlicePart implements Serializable {
  private static final long serialVersionUID = 1L;

  /** SSTs of the base; none means the WAL is the base. */
  final SliceFile[] base;

  final SliceFile[] shadows;
  final boolean walShadow;

  /** Estimated bytes to read. */
  final long weight;

  private final boolean exact;
  private final long minHi;
  private final long minLo;
  private final long maxHi;
  private final long maxLo;

  /**
   * Joins them.
   *
   * @param reach only keys inside are emitted
   */
  SlicePart(SliceFile[] base, SliceFile[] shadows, boolean walShadow, Reach reach, long weight) {
    KeyRange range = reach.range;
    this.exact = reach.exact;
    this.base = base;
    this.shadows = shadows;
    this.walShadow = walShadow;
    this.weight = weight;
    this.minHi = range.min().hi();
    this.minLo = range.min().lo();
    this.maxHi = range.max().hi();
    this.maxLo = range.max().lo();
  }

  /** The same part without files that hold none of these keys; empty if none is left. */
  Optional<SlicePart> within(KeyRanges keys) {
    if (isWal()) {
      return keys.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new SlicePart(
                  base, only(shadows, keys), walShadow, new Reach(range(), exact), weight));
    }
    SliceFile[] left = only(base, keys);
    if (left.length == 0 || !keys.overlaps(range())) {
      return Optional.empty();
    }
    return Optional.of(
        new SlicePart(left, only(shadows, keys), walShadow, new Reach(range(), exact), weight));
  }

  private static SliceFile[] only(SliceFile[] files, KeyRanges keys) {
    return Arrays.stream(files).filter(f -> keys.overlaps(f.keys())).toArray(SliceFile[]::new);
  }

  KeyRange range() {
    return new KeyRange(new NodeId(minHi, minLo), new NodeId(maxHi, maxLo));
  }

  /** A range that holds every key it emits; empty for the WAL, whose keys only a replay tells. */
  Optional<KeyRange> keys() {
    KeyRange all = null;
    for (SliceFile f : base) {
      all = all == null ? f.keys() : all.union(f.keys());
    }
    return all == null ? Optional.empty() : all.intersect(range());
  }

  /** Whether its files give no row outside {@link #range}. */
  boolean isExact() {
    return exact;
  }

  boolean isWal() {
    return base.length == 0;
  }

  boolean isMerged() {
    return base.length > 1;
  }

  boolean isClean() {
    return base.length <= 1 && shadows.length == 0 && !walShadow;
  }

  /**
   * How far a part reaches.
   *
   * @param range only keys inside are emitted
   * @param exact whether its files give no row outside
   */
  record Reach(KeyRange range, boolean exact) {}
}
