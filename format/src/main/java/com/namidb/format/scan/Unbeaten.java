package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.merge.Precedence;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves of SSTs that every row is the newest version of its key: no other SST of the target and no
 * WAL record can hold a newer one, judged by key ranges and LSN bounds. All sources count, whatever
 * a scan asks for: what the metadata of an SST tells is about all its rows.
 */
final class Unbeaten {
  private final List<Bounds> all = new ArrayList<>();
  private final OverlapIndex index;
  private final TargetWal wal;
  private final WalState.Extent extent;

  /** Looks at the SSTs of a target, in manifest order, and at its WAL records. */
  Unbeaten(List<SstDescriptor> manifest, SliceTarget target, TargetWal wal) {
    this.wal = wal;
    this.extent = wal.extent();
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < manifest.size(); i++) {
      SstDescriptor sst = manifest.get(i);
      if (target.isOf(sst)) {
        all.add(new Bounds(sst.lsns().max(), Precedence.rank(i)));
        ranges.add(sst.keys());
      }
    }
    index = new OverlapIndex(ranges);
  }

  /**
   * Whether the proof holds.
   *
   * @param position position in the manifest
   */
  boolean test(SstDescriptor sst, int position) {
    int rank = Precedence.rank(position);
    long oldest = sst.lsns().min();
    boolean walMayBeat =
        extent.rows() > 0
            && Precedence.beats(extent.maxLsn(), Precedence.WAL_RANK, oldest, rank)
            && wal.any(sst.keys(), KeyRanges.ALL);
    return !walMayBeat
        && index.visit(
            sst.keys(),
            i -> {
              Bounds other = all.get(i);
              return other.rank == rank
                  || !Precedence.beats(other.maxLsn, other.rank, oldest, rank);
            });
  }

  private record Bounds(long maxLsn, int rank) {}
}
