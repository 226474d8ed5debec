package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts units above the split size into key ranges that together hold every id, so that no row can
 * fall between two pieces whatever a descriptor says.
 */
final class Cutter {
  private static final int MAX_PIECES = 1_000_000;

  private final SstAccess ssts;
  private final long splitBytes;

  Cutter(SstAccess ssts, long splitBytes) {
    this.ssts = ssts;
    this.splitBytes = Math.max(1, splitBytes);
  }

  /** Ascending, disjoint, without gaps, from the smallest id to the greatest. */
  List<KeyRange> cut(BaseUnit unit) {
    if (unit.bytes <= splitBytes) {
      return List.of(KeyRange.ALL);
    }
    if (unit.members.size() == 1) {
      return pieces(cutsOf(unit.members.get(0).file()));
    }
    KeyDensity density = new KeyDensity(unit.range);
    for (Member m : unit.members) {
      sample(m.file(), density);
    }
    return pieces(density.cuts(count(unit.bytes, unit.rows)));
  }

  /** No more pieces than rows: every piece opens files and becomes a task. */
  private int count(long bytes, long rows) {
    long pieces = bytes / splitBytes + (bytes % splitBytes == 0 ? 0 : 1);
    return (int) Math.min(MAX_PIECES, Math.min(pieces, Math.max(1, rows)));
  }

  private static List<KeyRange> pieces(List<NodeId> cuts) {
    List<KeyRange> out = new ArrayList<>(cuts.size() + 1);
    NodeId from = NodeId.MIN;
    for (NodeId cut : cuts) {
      out.add(new KeyRange(from, cut.previous()));
      from = cut;
    }
    out.add(new KeyRange(from, NodeId.MAX));
    return out;
  }

  private List<NodeId> cutsOf(SliceFile file) {
    List<NodeId> cuts = new ArrayList<>();
    long bytes = 0;
    NodeId end = null;
    for (SstAccess.Part g : ssts.parts(file, count(file.sizeBytes, file.rows))) {
      // Parts whose ranges touch stay together: a cut between them would split a key.
      boolean apart = end != null && g.keys().min().compareTo(end) > 0;
      if (apart && bytes > 0 && bytes + g.bytes() > splitBytes) {
        cuts.add(g.keys().min());
        bytes = 0;
      }
      bytes += g.bytes();
      end = end == null || g.keys().max().compareTo(end) > 0 ? g.keys().max() : end;
    }
    return cuts;
  }

  private void sample(SliceFile file, KeyDensity density) {
    if (file.sizeBytes <= splitBytes) {
      density.add(file.keys(), file.sizeBytes);
    } else {
      for (SstAccess.Part g : ssts.parts(file, count(file.sizeBytes, file.rows))) {
        density.add(g.keys(), g.bytes());
      }
    }
  }
}
