package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.io.Serializable;

/**
 * A key range of a difference: the serialisable unit of reading. Holds no manifest and no client.
 */
public final class DiffSlice implements Serializable {
  private static final long serialVersionUID = 1L;

  final DiffSide before;
  final DiffSide after;

  /** Whether every WAL record counts as different. */
  final boolean wholeWal;

  private final long weight;
  private final long minHi;
  private final long minLo;
  private final long maxHi;
  private final long maxLo;

  /**
   * Joins them.
   *
   * @param range only keys inside are compared
   */
  DiffSlice(DiffSide before, DiffSide after, boolean wholeWal, KeyRange range, long weight) {
    this.before = before;
    this.after = after;
    this.wholeWal = wholeWal;
    this.weight = weight;
    this.minHi = range.min().hi();
    this.minLo = range.min().lo();
    this.maxHi = range.max().hi();
    this.maxLo = range.max().lo();
  }

  KeyRange range() {
    return new KeyRange(new NodeId(minHi, minLo), new NodeId(maxHi, maxLo));
  }

  boolean isEdges() {
    return after.scope.target.isEdges();
  }

  /** Estimated bytes to read. */
  public long bytes() {
    return weight;
  }

  @Override
  public String toString() {
    return "difference of "
        + before.files.length
        + " and "
        + after.files.length
        + " SST(s), about "
        + weight
        + " bytes";
  }
}
