package com.namidb.format.value;

import java.util.Arrays;

/**
 * The entries of a map being written: where they begin and how their keys compare, so that they can
 * be put into ascending order of their keys' bytes at the end.
 */
final class MapFrame {
  private int[] starts = new int[8];
  private int[] keyEnds = new int[8];
  private byte[] keys = new byte[64];
  private int count;
  private int body;
  private boolean ascending;

  /** Begins a map whose first entry will stand at {@code position}. */
  void begin(int position) {
    body = position;
    count = 0;
    ascending = true;
  }

  int count() {
    return count;
  }

  /** Notes the key of the entry that begins at {@code position}. */
  void add(int position, byte[] utf8, int offset, int length) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      keyEnds = Arrays.copyOf(keyEnds, 2 * count);
    }
    int from = keyStart(count);
    if (length > keys.length - from) {
      keys = Arrays.copyOf(keys, Math.max(from + length, 2 * keys.length));
    }
    System.arraycopy(utf8, offset, keys, from, length);
    starts[count] = position;
    keyEnds[count] = from + length;
    count++;
    ascending &= count == 1 || compare(count - 2, count - 1) < 0;
  }

  private int keyStart(int i) {
    return i == 0 ? 0 : keyEnds[i - 1];
  }

  private int compare(int i, int k) {
    return Arrays.compareUnsigned(keys, keyStart(i), keyEnds[i], keys, keyStart(k), keyEnds[k]);
  }

  /**
   * Puts the entries, which end where the buffer ends, into order.
   *
   * @return whether all keys differ
   */
  boolean sort(JsonBuffer json) {
    if (ascending) {
      return true;
    }
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, this::compare);
    for (int i = 1; i < count; i++) {
      if (compare(order[i - 1], order[i]) == 0) {
        return false;
      }
    }
    byte[] old = Arrays.copyOfRange(json.bytes(), body, json.size());
    json.truncate(body);
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        json.put(',');
      }
      int entry = order[i];
      int from = starts[entry] - body;
      // The comma that parts two entries belongs to neither.
      int to = entry + 1 < count ? starts[entry + 1] - 1 - body : old.length;
      json.put(old, from, to - from);
    }
    return true;
  }
}
