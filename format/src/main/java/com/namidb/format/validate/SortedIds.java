package com.namidb.format.validate;

import com.namidb.format.id.NodeId;
import java.util.Arrays;

/** Ids to be found again, 16 bytes each. They come in a few ascending runs. */
final class SortedIds {
  private long[] hi = new long[1024];
  private long[] lo = new long[1024];
  private int size;

  void add(long h, long l) {
    if (size == hi.length) {
      int more = Math.multiplyExact(size, 2);
      hi = Arrays.copyOf(hi, more);
      lo = Arrays.copyOf(lo, more);
    }
    hi[size] = h;
    lo[size] = l;
    size++;
  }

  /** Heap sort: in place, and of the same cost whatever order the ids came in. */
  void sort() {
    for (int i = 1; i < size; i++) {
      if (NodeId.compare(hi[i - 1], lo[i - 1], hi[i], lo[i]) > 0) {
        heapSort();
        return;
      }
    }
  }

  private void heapSort() {
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i, size);
    }
    for (int end = size - 1; end > 0; end--) {
      swap(0, end);
      sink(0, end);
    }
  }

  private void sink(int from, int end) {
    int at = from;
    while (2 * at + 1 < end) {
      int child = 2 * at + 1;
      if (child + 1 < end && less(child, child + 1)) {
        child++;
      }
      if (!less(at, child)) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private boolean less(int a, int b) {
    return NodeId.compare(hi[a], lo[a], hi[b], lo[b]) < 0;
  }

  private void swap(int a, int b) {
    long h = hi[a];
    long l = lo[a];
    hi[a] = hi[b];
    lo[a] = lo[b];
    hi[b] = h;
    lo[b] = l;
  }

  boolean contains(long h, long l) {
    int a = 0;
    int z = size - 1;
    while (a <= z) {
      int m = (a + z) >>> 1;
      int c = NodeId.compare(hi[m], lo[m], h, l);
      if (c == 0) {
        return true;
      }
      if (c < 0) {
        a = m + 1;
      } else {
        z = m - 1;
      }
    }
    return false;
  }
}
