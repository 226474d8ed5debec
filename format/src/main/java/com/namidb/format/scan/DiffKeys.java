package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The keys of a slice that may have changed. Where files are shared that need not be read as a
 * whole, the keys of the differing files are read first, as long as they are not too many to hold:
 * then shared files are read around these keys only. Otherwise the ranges of the differing files
 * have to do, which changes nothing in the answer.
 */
final class DiffKeys {
  /** Most keys held, about 100 bytes each. */
  static final int MAX_KEYS = 65_536;

  /** An edge SST is searched range by range. */
  private static final int MAX_EDGE_RANGES = 1024;

  private final DiffSlice slice;
  private final SstAccess ssts;
  private final KeyRanges asked;
  private final List<NodeId> found = new ArrayList<>();
  private final int most;

  /**
   * Prepares.
   *
   * @param most how many keys to hold at most
   */
  DiffKeys(DiffSlice slice, SstAccess ssts, int most) {
    this.slice = slice;
    this.ssts = ssts;
    this.most = most;
    this.asked = slice.after.scope.keys().intersect(KeyRanges.of(slice.range()));
  }

  /** Keys that hold every changed one. */
  KeyRanges read(TargetWal before, TargetWal after) {
    List<KeyRange> wal = wal(before, after);
    if (estimate() <= most && anyShared() && readAll(slice.before) && readAll(slice.after)) {
      KeyRanges each = KeyRanges.ofIds(found);
      List<KeyRange> all = new ArrayList<>(slice.isEdges() ? joined(each.ranges()) : each.ranges());
      all.addAll(wal);
      return KeyRanges.union(all);
    }
    List<KeyRange> all = new ArrayList<>(wal);
    for (DiffSide side : List.of(slice.before, slice.after)) {
      for (int i = 0; i < side.files.length; i++) {
        if (side.differs[i]) {
          all.add(side.files[i].keys());
        }
      }
    }
    return KeyRanges.union(all).intersect(asked);
  }

  private List<KeyRange> wal(TargetWal before, TargetWal after) {
    List<KeyRange> each = new ArrayList<>();
    try (WalDiff diff = new WalDiff(before, after, asked, slice.wholeWal)) {
      while (diff.next()) {
        if (each.size() == most) {
          return asked.ranges();
        }
        each.add(new KeyRange(diff.key(), diff.key()));
      }
    }
    return slice.isEdges() ? joined(each) : each;
  }

  /** Neighbours together, until few ranges are left. */
  private static List<KeyRange> joined(List<KeyRange> each) {
    int together = (each.size() + MAX_EDGE_RANGES - 1) / MAX_EDGE_RANGES;
    if (together <= 1) {
      return each;
    }
    List<KeyRange> out = new ArrayList<>();
    for (int i = 0; i < each.size(); i += together) {
      out.add(each.get(i).union(each.get(Math.min(each.size(), i + together) - 1)));
    }
    return out;
  }

  private boolean anyShared() {
    for (DiffSide side : List.of(slice.before, slice.after)) {
      for (boolean differs : side.differs) {
        if (!differs) {
          return true;
        }
      }
    }
    return false;
  }

  private double estimate() {
    double rows = 0;
    for (DiffSide side : List.of(slice.before, slice.after)) {
      for (int i = 0; i < side.files.length; i++) {
        SliceFile f = side.files[i];
        if (side.differs[i]) {
          double share =
              f.keys().intersect(slice.range()).map(r -> KeyDensity.share(r, f.keys())).orElse(0.0);
          rows += f.rows * share;
        }
      }
    }
    return rows;
  }

  /** False if there are too many keys. */
  private boolean readAll(DiffSide side) {
    try {
      for (int i = 0; i < side.files.length; i++) {
        if (side.differs[i] && !read(side.files[i])) {
          return false;
        }
      }
      return true;
    } catch (NamiException e) {
      throw e.at(side.scope.where());
    }
  }

  private boolean read(SliceFile file) {
    try (RecordCursor cursor =
        ssts.scan(file, EnumSet.of(Column.KEY), asked, new LabelSets(), SideRows.window(1))) {
      long hi = 0;
      long lo = 0;
      boolean any = false;
      while (cursor.next()) {
        RecordBatch b = cursor.batch();
        for (int i = 0; i < b.size(); i++) {
          long h = b.keyHi()[i];
          long l = b.keyLo()[i];
          boolean again = any && h == hi && l == lo;
          if (!again && asked.contains(h, l)) {
            if (found.size() == most) {
              return false;
            }
            found.add(new NodeId(h, l));
          }
          any = true;
          hi = h;
          lo = l;
        }
      }
      return true;
    }
  }
}
