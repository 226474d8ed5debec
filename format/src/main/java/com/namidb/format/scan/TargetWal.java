package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.wal.WalState;
import java.util.Optional;

/** The WAL records of one target, in the order of its files. */
final class TargetWal {
  private final WalState state;
  private final SliceTarget target;

  TargetWal(WalState state, SliceTarget target) {
    this.state = state;
    this.target = target;
  }

  WalState.Extent extent() {
    return target.isEdges() ? state.edgeExtent(target.edgeType) : state.nodeExtent();
  }

  Optional<KeyRange> keys() {
    return target.isEdges() ? state.edgeKeys(target.edgeType, target.inverse) : state.nodeKeys();
  }

  int count(KeyRange range) {
    return target.isEdges()
        ? state.edgeCount(target.edgeType, target.inverse, range)
        : state.nodeCount(range);
  }

  /** Whether there is a record in both the range and the allowed keys. */
  boolean any(KeyRange range, KeyRanges allowed) {
    if (extent().rows() == 0) {
      return false;
    }
    if (allowed.isAll()) {
      return count(range) > 0;
    }
    for (KeyRange r : allowed.ranges()) {
      Optional<KeyRange> both = r.intersect(range);
      if (both.isPresent() && count(both.get()) > 0) {
        return true;
      }
    }
    return false;
  }

  RecordCursor cursor(LabelSets labels, KeyRanges ranges) {
    return target.isEdges()
        ? state.edges(target.edgeType, target.inverse, ranges)
        : state.nodes(labels, ranges);
  }
}
