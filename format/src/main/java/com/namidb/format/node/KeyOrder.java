package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;

/** Checks that ids ascend strictly and span what statistics and descriptor promise. */
final class KeyOrder {
  private final KeyRange file;
  private boolean any;
  private long hi;
  private long lo;
  private NodeId first;
  private NodeId last;

  KeyOrder(KeyRange file) {
    this.file = file;
  }

  /**
   * A row group begins.
   *
   * @param keys its range, {@code null} if unknown
   */
  void start(KeyRange keys, boolean firstGroup, boolean lastGroup) {
    first = firstGroup ? file.min() : keys == null ? null : keys.min();
    last = lastGroup ? file.max() : keys == null ? null : keys.max();
  }

  /** Checks a batch; {@code end} if it is the row group's last. */
  void check(RecordBatch batch, boolean end) {
    long[] his = batch.keyHi();
    long[] los = batch.keyLo();
    int n = batch.size();
    int i = 0;
    if (first != null) {
      expect(first, his[0], los[0]);
      first = null;
    }
    if (!any) {
      any = true;
      hi = his[0];
      lo = los[0];
      i = 1;
    }
    long h = hi;
    long l = lo;
    for (; i < n; i++) {
      boolean above =
          his[i] == h ? Long.compareUnsigned(l, los[i]) < 0 : Long.compareUnsigned(h, his[i]) < 0;
      if (!above) {
        throw new DamageException(
            "id " + new NodeId(his[i], los[i]) + " follows " + new NodeId(h, l));
      }
      h = his[i];
      l = los[i];
    }
    hi = h;
    lo = l;
    if (end && last != null) {
      expect(last, h, l);
    }
  }

  private static void expect(NodeId promised, long hi, long lo) {
    NodeId found = new NodeId(hi, lo);
    if (!found.equals(promised)) {
      throw new DamageException("id " + found + " stands where " + promised + " is promised");
    }
  }
}
