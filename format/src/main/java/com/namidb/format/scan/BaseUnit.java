package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.Lsn;
import com.namidb.format.merge.Precedence;
import java.util.BitSet;
import java.util.List;

/** SSTs that are emitted together: one, or several merged by key. */
final class BaseUnit {
  final List<Member> members;
  final KeyRange range;
  final long rows;
  final long bytes;
  private final long minLsn;
  private final int rank;
  private final BitSet ranks = new BitSet();

  BaseUnit(List<Member> members) {
    this.members = members;
    KeyRange all = members.get(0).file().keys();
    long oldest = members.get(0).file().minLsn;
    long sumRows = 0;
    long sumBytes = 0;
    int last = 0;
    for (Member m : members) {
      all = all.union(m.file().keys());
      oldest = Lsn.min(oldest, m.file().minLsn);
      sumRows += m.file().rows;
      sumBytes += m.file().sizeBytes;
      last = Math.max(last, m.file().rank);
      ranks.set(m.file().rank);
    }
    range = all;
    minLsn = oldest;
    rows = sumRows;
    bytes = sumBytes;
    rank = last;
  }

  /** Whether a source may hold a version that beats one of ours, judged by LSN bounds. */
  boolean mayLoseTo(long maxLsn, int otherRank) {
    return Precedence.beats(maxLsn, otherRank, minLsn, rank);
  }

  boolean contains(Member m) {
    return ranks.get(m.file().rank);
  }
}
