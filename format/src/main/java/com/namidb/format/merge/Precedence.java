package com.namidb.format.merge;

import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;

/**
 * Who wins among versions of one key: the highest LSN (unsigned), then the lowest rank. No other
 * code decides this. Source: manifest §5.3, §5.4.
 */
public final class Precedence {
  /** Rank of the WAL. */
  public static final int WAL_RANK = 0;

  private Precedence() {}

  /** Rank of an SST by its position in the manifest, from 0. */
  public static int rank(int manifestPosition) {
    return WAL_RANK + 1 + manifestPosition;
  }

  /** Whether a version beats another one of the same key. */
  public static boolean beats(long lsn, int rank, long otherLsn, int otherRank) {
    int c = Long.compareUnsigned(lsn, otherLsn);
    return c != 0 ? c > 0 : rank < otherRank;
  }

  /**
   * Whether a source may hold a version that beats one of another source.
   *
   * @param maxLsn greatest LSN of the source, unsigned
   * @param otherMinLsn smallest LSN of the other one, unsigned
   */
  public static boolean mayBeat(long maxLsn, int rank, long otherMinLsn, int otherRank) {
    return beats(maxLsn, rank, otherMinLsn, otherRank);
  }

  /** Compares the keys of two records: nodes by id, edges by key then partner, unsigned. */
  static int compareKeys(RecordBatch a, int i, RecordBatch b, int j) {
    int c = NodeId.compare(a.keyHi()[i], a.keyLo()[i], b.keyHi()[j], b.keyLo()[j]);
    if (c != 0 || !a.edges()) {
      return c;
    }
    return NodeId.compare(a.partnerHi()[i], a.partnerLo()[i], b.partnerHi()[j], b.partnerLo()[j]);
  }

  /** Position of the first record from {@code from} on that is not below b's record {@code j}. */
  static int advance(RecordBatch a, int from, RecordBatch b, int j) {
    int size = a.size();
    int low = from;
    int step = 1;
    int high = from;
    // Galloping: near targets are the rule where sources interleave, far ones where they do not.
    while (high < size && compareKeys(a, high, b, j) < 0) {
      low = high + 1;
      high += step;
      step <<= 1;
    }
    high = Math.min(high, size);
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (compareKeys(a, mid, b, j) < 0) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }
}
