package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;

/** Key ranges as plain longs, four each: a form that every serialiser handles and that is small. */
final class Ranges {
  private static final int LONGS = 4;

  private Ranges() {}

  static long[] pack(KeyRanges ranges) {
    long[] out = new long[LONGS * ranges.ranges().size()];
    int i = 0;
    for (KeyRange r : ranges.ranges()) {
      out[i++] = r.min().hi();
      out[i++] = r.min().lo();
      out[i++] = r.max().hi();
      out[i++] = r.max().lo();
    }
    return out;
  }

  static KeyRanges unpack(long[] packed) {
    List<KeyRange> out = new ArrayList<>(packed.length / LONGS);
    for (int i = 0; i < packed.length; i += LONGS) {
      out.add(
          new KeyRange(
              new NodeId(packed[i], packed[i + 1]), new NodeId(packed[i + 2], packed[i + 3])));
    }
    return new KeyRanges(out);
  }
}
