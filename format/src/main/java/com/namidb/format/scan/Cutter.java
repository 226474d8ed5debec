package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts units above the split size into key ranges that together hold every id, so that no row can
 * fall between two pieces whatever a descriptor says.
 *
 * <p>The split size is the asked one, or less if the scan has fewer units than tasks are wanted.
 * Each task costs some 40 ms of CPU whatever it reads, so pieces below {@link #MIN_PIECE} do not
 * pay.
 */
final class Cutter {
  static final long MIN_PIECE = 4L << 20;

  /** Row groups are not made smaller than this by any writer: a shorter SST cannot be cut. */
  static final long GROUP_ROWS = 131_072;

  private static final int MAX_PIECES = 1_000_000;

  private final SstAccess ssts;
  private final long splitBytes;
  private final long wantedBytes;
  private final boolean edges;

  private Cutter(SstAccess ssts, long splitBytes, long wantedBytes, boolean edges) {
    this.ssts = ssts;
    this.splitBytes = splitBytes;
    this.wantedBytes = wantedBytes;
    this.edges = edges;
  }

  /** For these units of one scan. */
  static Cutter of(SstAccess ssts, ScanRequest.Sizing sizing, List<BaseUnit> units, boolean edges) {
    long split = Math.max(1, sizing.splitBytes());
    long wanted = split;
    if (units.size() < sizing.tasks()) {
      long bytes = 0;
      for (BaseUnit u : units) {
        bytes += u.bytes;
      }
      wanted = Math.min(split, Math.max(MIN_PIECE, bytes / sizing.tasks() + 1));
    }
    return new Cutter(ssts, split, wanted, edges);
  }

  /** Key ranges ascending, disjoint, without gaps, from the smallest id to the greatest. */
  Pieces cut(BaseUnit unit) {
    boolean finer = unit.members.size() == 1 && (edges || unit.rows > GROUP_ROWS);
    if (unit.bytes <= (finer ? wantedBytes : splitBytes)) {
      return Pieces.WHOLE;
    }
    if (unit.members.size() == 1) {
      return cut(unit.members.get(0).file());
    }
    KeyDensity density = new KeyDensity(unit.range);
    for (Member m : unit.members) {
      sample(m.file(), density);
    }
    return Pieces.at(density.cuts(count(unit.bytes, unit.rows, splitBytes)), false);
  }

  /** No more pieces than rows: every piece opens files and becomes a task. */
  static int count(long bytes, long rows, long pieceBytes) {
    long pieces = bytes / pieceBytes + (bytes % pieceBytes == 0 ? 0 : 1);
    return (int) Math.min(MAX_PIECES, Math.min(pieces, Math.max(1, rows)));
  }

  private Pieces cut(SliceFile file) {
    int pieces = count(file.sizeBytes, file.rows, wantedBytes);
    long target = file.sizeBytes / pieces;
    List<NodeId> cuts = new ArrayList<>();
    boolean exact = true;
    long bytes = 0;
    NodeId end = null;
    for (SstAccess.Part g : ssts.parts(file, pieces)) {
      exact &= g.exact();
      // Parts whose ranges touch stay together: a cut between them would split a key.
      boolean apart = end != null && g.keys().min().compareTo(end) > 0;
      boolean full = bytes + g.bytes() > splitBytes || bytes + g.bytes() / 2 > target;
      if (apart && bytes > 0 && full) {
        cuts.add(g.keys().min());
        bytes = 0;
      }
      bytes += g.bytes();
      end = end == null || g.keys().max().compareTo(end) > 0 ? g.keys().max() : end;
    }
    return Pieces.at(cuts, exact);
  }

  /** Adds where the bytes of an SST lie; reads the footer of one above the split size. */
  void sample(SliceFile file, KeyDensity density) {
    if (file.sizeBytes <= splitBytes) {
      density.add(file.keys(), file.sizeBytes);
    } else {
      for (SstAccess.Part g : ssts.parts(file, count(file.sizeBytes, file.rows, splitBytes))) {
        density.add(g.keys(), g.bytes());
      }
    }
  }

  /**
   * Where a unit is cut.
   *
   * @param ranges of the pieces
   * @param exact whether a scan of a piece gives no row outside it
   */
  record Pieces(List<KeyRange> ranges, boolean exact) {
    static final Pieces WHOLE = new Pieces(List.of(KeyRange.ALL), true);

    static Pieces at(List<NodeId> cuts, boolean exact) {
      List<KeyRange> out = new ArrayList<>(cuts.size() + 1);
      NodeId from = NodeId.MIN;
      for (NodeId cut : cuts) {
        out.add(new KeyRange(from, cut.previous()));
        from = cut;
      }
      out.add(new KeyRange(from, NodeId.MAX));
      return new Pieces(out, exact);
    }
  }
}
