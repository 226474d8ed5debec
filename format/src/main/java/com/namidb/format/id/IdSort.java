package com.namidb.format.id;

/**
 * Sorts positions of records that begin with ids, as unsigned bytes; stable. Ids are compared eight
 * bytes at a time: those of many records are sorted by radix, and records whose bytes are equal by
 * the next eight. Takes 20 bytes per record while it works.
 */
public final class IdSort {
  /** Up to here insertion is faster than anything else. */
  private static final int FEW = 24;

  /** From here on the passes of a radix sort pay. */
  private static final int MANY = 1 << 10;

  /** Records whose next words are read at once. */
  private static final int AHEAD = 64;

  private static final int DIGITS = 8;
  private static final int DIGIT_BITS = 8;
  private static final int VALUES = 1 << DIGIT_BITS;

  private final byte[] records;
  private final int keyLength;
  private final int[] positions;
  private final int[] otherPositions;
  private final long[] words;
  private final long[] otherWords;

  private IdSort(byte[] records, int keyLength, int[] positions, int count) {
    this.records = records;
    this.keyLength = keyLength;
    this.positions = positions;
    otherPositions = new int[count];
    words = new long[count];
    otherWords = new long[count];
  }

  /**
   * Sorts the first {@code count} positions.
   *
   * @param records holds the records
   * @param keyLength bytes at the start of a record that are compared; a multiple of 8
   * @param positions where records begin; sorted in place
   */
  public static void sort(byte[] records, int keyLength, int[] positions, int count) {
    new IdSort(records, keyLength, positions, count).sort(count);
  }

  private void sort(int count) {
    for (int i = 0; i < count; i++) {
      words[i] = IdBytes.longAt(records, positions[i]);
    }
    order(0, count, 0);
  }

  /** Sorts a range whose words are those at {@code at}; all bytes before are equal. */
  private void order(int from, int to, int at) {
    if (to - from <= FEW) {
      insert(from, to);
    } else if (to - from < MANY) {
      merge(from, to);
    } else {
      radix(from, to);
    }
    int next = at + Long.BYTES;
    if (next == keyLength) {
      return;
    }
    int fetched = from;
    int start = from;
    for (int i = from + 1; i <= to; i++) {
      if (i < to && words[i] == words[start]) {
        continue;
      }
      if (i - start > 1) {
        if (fetched < i) {
          int end = Math.min(i + AHEAD, to);
          fetch(Math.max(fetched, start), end, next);
          fetched = end;
        }
        // Its own words are not needed any more where a group is sorted by the next ones.
        System.arraycopy(otherWords, start, words, start, i - start);
        order(start, i, next);
      }
      start = i;
    }
  }

  /**
   * Reads the words at {@code at} of records that have a twin so far. Records lie anywhere: read
   * one after the other without a decision in between, the processor waits for many of them at
   * once.
   */
  private void fetch(int from, int to, int at) {
    for (int i = from; i < to; i++) {
      boolean twin =
          (i > 0 && words[i] == words[i - 1]) || (i + 1 < words.length && words[i] == words[i + 1]);
      if (twin) {
        otherWords[i] = IdBytes.longAt(records, positions[i] + at);
      }
    }
  }

  /** By the words as well: they are at hand, the records are wherever they were put. */
  private void insert(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long word = words[i];
      int position = positions[i];
      int k = i;
      while (k > from && Long.compareUnsigned(words[k - 1], word) > 0) {
        words[k] = words[k - 1];
        positions[k] = positions[k - 1];
        k--;
      }
      words[k] = word;
      positions[k] = position;
    }
  }

  /** Bottom-up merge sort by the words. */
  private void merge(int from, int to) {
    for (int width = 1; width < to - from; width *= 2) {
      for (int low = from; low < to; low += 2 * width) {
        int middle = Math.min(low + width, to);
        int high = Math.min(low + 2 * width, to);
        int a = low;
        int b = middle;
        for (int k = low; k < high; k++) {
          boolean left = a < middle && (b >= high || Long.compareUnsigned(words[a], words[b]) <= 0);
          int taken = left ? a++ : b++;
          otherWords[k] = words[taken];
          otherPositions[k] = positions[taken];
        }
      }
      System.arraycopy(otherWords, from, words, from, to - from);
      System.arraycopy(otherPositions, from, positions, from, to - from);
    }
  }

  /** By one digit after the other, the lowest first; digits that are all equal are left out. */
  private void radix(int from, int to) {
    int[][] counts = new int[DIGITS][VALUES];
    for (int i = from; i < to; i++) {
      long word = words[i];
      for (int d = 0; d < DIGITS; d++) {
        counts[d][digit(word, d)]++;
      }
    }
    long[] a = words;
    long[] b = otherWords;
    int[] p = positions;
    int[] q = otherPositions;
    for (int d = 0; d < DIGITS; d++) {
      int[] next = counts[d];
      if (next[digit(a[from], d)] == to - from) {
        continue;
      }
      int start = from;
      for (int v = 0; v < VALUES; v++) {
        int n = next[v];
        next[v] = start;
        start += n;
      }
      for (int i = from; i < to; i++) {
        int k = next[digit(a[i], d)]++;
        b[k] = a[i];
        q[k] = p[i];
      }
      long[] swapWords = a;
      a = b;
      b = swapWords;
      int[] swapPositions = p;
      p = q;
      q = swapPositions;
    }
    if (a != words) {
      System.arraycopy(otherWords, from, words, from, to - from);
      System.arraycopy(otherPositions, from, positions, from, to - from);
    }
  }

  private static int digit(long word, int d) {
    return (int) (word >>> (d * DIGIT_BITS)) & (VALUES - 1);
  }
}
