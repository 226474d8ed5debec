package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.merge.Precedence;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Turns units and the WAL into parts: finds the shadows of each, leaves out what holds no key. */
final class PartBuilder {
  /** A WAL row is small beside the cost of a task. */
  private static final long WAL_ROW_BYTES = 200;

  /** Of a shadow only keys and LSNs are read. */
  private static final int SHADOW_SHARE = 4;

  final List<SlicePart> parts = new ArrayList<>();

  /** Ranks of the SSTs some part reads, and of those with a part that is not clean. */
  final BitSet read = new BitSet();

  final BitSet merged = new BitSet();

  private final List<Member> members;
  private final OverlapIndex index;
  private final TargetWal wal;
  private final WalState.Extent extent;
  private final KeyRanges keys;

  PartBuilder(List<Member> members, OverlapIndex index, TargetWal wal, KeyRanges keys) {
    this.members = members;
    this.index = index;
    this.wal = wal;
    this.extent = wal.extent();
    this.keys = keys;
  }

  /** Adds a unit, cut into these pieces. */
  void add(BaseUnit unit, Cutter.Pieces pieces) {
    long bytes = unit.bytes / pieces.ranges().size();
    for (KeyRange piece : pieces.ranges()) {
      Optional<KeyRange> inside = piece.intersect(unit.range);
      if (inside.isEmpty() || !keys.overlaps(piece)) {
        continue;
      }
      List<Member> base = new ArrayList<>();
      for (Member m : unit.members) {
        if (m.file().keys().overlaps(piece)) {
          base.add(m);
        }
      }
      if (!base.isEmpty()) {
        BaseUnit part = base.size() == unit.members.size() ? unit : new BaseUnit(base);
        add(part, unit, new Piece(piece, inside.get(), bytes, pieces.exact()));
      }
    }
  }

  private void add(BaseUnit base, BaseUnit whole, Piece piece) {
    KeyRange inside = piece.inside;
    List<SliceFile> shadows = new ArrayList<>();
    index.visit(
        inside,
        i -> {
          SliceFile f = members.get(i).file();
          if (!whole.contains(members.get(i)) && base.mayLoseTo(f.maxLsn, f.rank)) {
            shadows.add(f);
          }
          return true;
        });
    boolean walShadow =
        extent.rows() > 0
            && base.mayLoseTo(extent.maxLsn(), Precedence.WAL_RANK)
            && wal.any(inside, keys);
    SliceFile[] files = base.members.stream().map(Member::file).toArray(SliceFile[]::new);
    long weight = piece.bytes;
    for (SliceFile s : shadows) {
      double share = s.keys().intersect(inside).map(r -> KeyDensity.share(r, s.keys())).orElse(0.0);
      weight += (long) (share * s.sizeBytes) / SHADOW_SHARE;
    }
    SlicePart.Reach reach = new SlicePart.Reach(piece.range, piece.exact);
    add(new SlicePart(files, shadows.toArray(new SliceFile[0]), walShadow, reach, weight));
  }

  /** Adds the WAL as a base, if it has a record with an allowed key. */
  void addWal() {
    Optional<KeyRange> range = wal.keys();
    if (range.isEmpty() || !wal.any(range.get(), keys)) {
      return;
    }
    List<SliceFile> shadows = new ArrayList<>();
    index.visit(
        range.get(),
        i -> {
          SliceFile f = members.get(i).file();
          boolean mayBeat =
              Precedence.beats(f.maxLsn, f.rank, extent.minLsn(), Precedence.WAL_RANK);
          if (mayBeat && wal.any(f.keys(), keys)) {
            shadows.add(f);
          }
          return true;
        });
    long weight = extent.rows() * WAL_ROW_BYTES;
    SliceFile[] none = new SliceFile[0];
    SlicePart.Reach all = new SlicePart.Reach(KeyRange.ALL, true);
    add(new SlicePart(none, shadows.toArray(none), false, all, weight));
  }

  /** A piece of a unit; {@code inside} is the part of its range where the unit has keys. */
  private record Piece(KeyRange range, KeyRange inside, long bytes, boolean exact) {}

  private void add(SlicePart part) {
    parts.add(part);
    for (SliceFile f : part.base) {
      read.set(f.rank);
      if (!part.isClean()) {
        merged.set(f.rank);
      }
    }
    for (SliceFile f : part.shadows) {
      read.set(f.rank);
    }
  }
}
