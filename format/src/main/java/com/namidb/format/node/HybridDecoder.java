package com.namidb.format.node;

import java.util.Arrays;

/**
 * Parquet's mix of runs and bit-packed groups: levels, dictionary indexes and V2 booleans. Runs are
 * visible to the caller, because most pages of labels are a few long ones.
 */
final class HybridDecoder {
  private byte[] bytes = new byte[0];
  private int pos;
  private int end;
  private int width;
  private long mask;
  private boolean packed;
  private int left;
  private int value;
  private long bit;

  /** Starts on the first run. */
  void init(byte[] buffer, int from, int to, int bitWidth) {
    if (bitWidth < 0 || bitWidth > 32 || from > to || to > buffer.length) {
      throw new DamageException("a page has values of " + bitWidth + " bits");
    }
    bytes = buffer;
    pos = from;
    end = to;
    width = bitWidth;
    mask = (1L << bitWidth) - 1;
    left = 0;
  }

  /** Values left in the current run, at least 1; loads the next run if needed. */
  int run() {
    while (left == 0) {
      load();
    }
    return left;
  }

  /** Whether the current run repeats {@link #peek}; ask after {@link #run}. */
  boolean constant() {
    return !packed;
  }

  /** The next value, not consumed. */
  int peek() {
    run();
    return packed ? extract(bit) : value;
  }

  /** Passes over values of the current run. */
  void skip(int n) {
    left -= n;
    if (packed) {
      bit += (long) n * width;
    }
  }

  /** The next value. */
  int read() {
    run();
    left--;
    if (!packed) {
      return value;
    }
    int out = extract(bit);
    bit += width;
    return out;
  }

  /** The next {@code n} values. */
  void read(int[] out, int from, int n) {
    int at = from;
    int stop = from + n;
    while (at < stop) {
      int k = Math.min(run(), stop - at);
      if (packed) {
        long b = bit;
        for (int i = 0; i < k; i++) {
          out[at + i] = extract(b);
          b += width;
        }
      } else {
        Arrays.fill(out, at, at + k, value);
      }
      skip(k);
      at += k;
    }
  }

  private int extract(long at) {
    int i = (int) (at >>> 3);
    int shift = (int) (at & 7);
    if (i + 8 <= end) {
      return (int) ((LittleEndian.longAt(bytes, i) >>> shift) & mask);
    }
    if (i + ((shift + width + 7) >>> 3) > end) {
      throw new DamageException("a page has fewer values than its header says");
    }
    long word = 0;
    for (int k = 0; i + k < end; k++) {
      word |= (bytes[i + k] & 0xFFL) << (8 * k);
    }
    return (int) ((word >>> shift) & mask);
  }

  private void load() {
    int header = varint();
    int n = header >>> 1;
    packed = (header & 1) != 0;
    if (packed) {
      // The last group may be cut short; extract() checks each value.
      int stored = (int) Math.min((long) n * width, end - pos);
      bit = (long) pos << 3;
      pos += stored;
      left = (int) Math.min((long) n * 8, Integer.MAX_VALUE);
      return;
    }
    left = n;
    int length = (width + 7) >>> 3;
    if (length > end - pos) {
      throw new DamageException("a page has fewer values than its header says");
    }
    value = 0;
    for (int k = 0; k < length; k++) {
      value |= (bytes[pos++] & 0xFF) << (8 * k);
    }
    if ((value & 0xFFFFFFFFL) > mask) {
      throw new DamageException("a run holds a value of more bits than declared");
    }
  }

  private int varint() {
    int out = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (pos >= end) {
        throw new DamageException("a page has fewer values than its header says");
      }
      int b = bytes[pos++];
      out |= (b & 0x7F) << shift;
      if (b >= 0) {
        return out;
      }
    }
    throw new DamageException("a run has an endless length");
  }
}
