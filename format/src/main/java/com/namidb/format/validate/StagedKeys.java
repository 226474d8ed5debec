package com.namidb.format.validate;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.stage.CandidateKeys;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of one candidate as sorted arrays: 16 bytes per id, 32 per edge. Writers limit the rows
 * of a file, so this is bounded.
 */
public final class StagedKeys {
  private long[] hi = new long[1024];
  private long[] lo = new long[1024];
  private long[] hi2;
  private long[] lo2;
  private int size;

  private StagedKeys(boolean pairs) {
    hi2 = pairs ? new long[1024] : null;
    lo2 = pairs ? new long[1024] : null;
  }

  /**
   * Loads a candidate's keys.
   *
   * @param pairs whether edges keep their partner; else each first id counts once
   */
  public static StagedKeys load(
      ObjectStore store, NamespacePaths paths, NewSst sst, boolean pairs) {
    StagedKeys out = new StagedKeys(pairs);
    try (CandidateKeys in = CandidateKeys.open(store, paths, sst, KeyRanges.ALL)) {
      while (in.next()) {
        RecordBatch b = in.batch();
        for (int i = 0; i < b.size(); i++) {
          out.add(
              b.keyHi()[i],
              b.keyLo()[i],
              pairs ? b.partnerHi()[i] : 0,
              pairs ? b.partnerLo()[i] : 0);
        }
      }
    }
    return out;
  }

  private void add(long h, long l, long h2, long l2) {
    boolean pairs = hi2 != null;
    if (!pairs && size > 0 && hi[size - 1] == h && lo[size - 1] == l) {
      return;
    }
    if (size == hi.length) {
      int more = Math.multiplyExact(size, 2);
      hi = Arrays.copyOf(hi, more);
      lo = Arrays.copyOf(lo, more);
      hi2 = pairs ? Arrays.copyOf(hi2, more) : null;
      lo2 = pairs ? Arrays.copyOf(lo2, more) : null;
    }
    hi[size] = h;
    lo[size] = l;
    if (pairs) {
      hi2[size] = h2;
      lo2[size] = l2;
    }
    size++;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Position of a key, negative if it is not there; the second id counts for edges only. */
  public int find(long h, long l, long h2, long l2) {
    int a = 0;
    int z = size - 1;
    while (a <= z) {
      int m = (a + z) >>> 1;
      int c = NodeId.compare(hi[m], lo[m], h, l);
      if (c == 0 && hi2 != null) {
        c = NodeId.compare(hi2[m], lo2[m], h2, l2);
      }
      if (c == 0) {
        return m;
      }
      if (c < 0) {
        a = m + 1;
      } else {
        z = m - 1;
      }
    }
    return -1;
  }

  /** The first ids as ranges, one for all if there are more than {@code most}. */
  public KeyRanges ranges(int most) {
    if (size == 0) {
      return KeyRanges.NONE;
    }
    if (size > most) {
      return KeyRanges.of(
          new KeyRange(new NodeId(hi[0], lo[0]), new NodeId(hi[size - 1], lo[size - 1])));
    }
    List<NodeId> ids = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      ids.add(new NodeId(hi[i], lo[i]));
    }
    return KeyRanges.ofIds(ids);
  }

  /** A key as text. */
  String text(int at) {
    String first = new NodeId(hi[at], lo[at]).toString();
    return hi2 == null ? first : first + " -> " + new NodeId(hi2[at], lo2[at]);
  }
}
