package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.io.Serializable;

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

  KeyRange range() {
    return new KeyRange(new NodeId(minHi, minLo), new NodeId(maxHi, maxLo));
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
