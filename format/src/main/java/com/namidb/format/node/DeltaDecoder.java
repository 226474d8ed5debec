package com.namidb.format.node;

/**
 * DELTA_BINARY_PACKED integers, read in one go: counts are checked before anything is allocated.
 */
final class DeltaDecoder {
  private final byte[] bytes;
  private final int end;
  private int pos;

  DeltaDecoder(byte[] bytes, int pos, int end) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = end;
  }

  /** First byte after what was read. */
  int position() {
    return pos;
  }

  /**
   * Reads one sequence.
   *
   * @param most greatest number of values the page may hold
   */
  long[] read(int most) {
    long block = varint();
    long minis = varint();
    long total = varint();
    if (total < 0 || total > most) {
      throw new DamageException("a page holds " + total + " values, not " + most);
    }
    boolean sane = minis > 0 && block > 0 && block % minis == 0 && block / minis % 8 == 0;
    if (!sane || block > 1 << 24 || minis > 1 << 16) {
      throw new DamageException("a page has delta blocks of " + block + " values");
    }
    long[] out = new long[(int) total];
    long last = zigzag();
    int n = 0;
    if (total > 0) {
      out[n++] = last;
    }
    int perMini = (int) (block / minis);
    while (n < out.length) {
      long min = zigzag();
      int widths = pos;
      advance(minis);
      for (int m = 0; m < minis && n < out.length; m++) {
        int width = bytes[widths + m] & 0xFF;
        int count = Math.min(perMini, out.length - n);
        unpack(out, n, count, width, min);
        // Unused values of the last miniblock are stored as padding.
        advance(Math.min((long) perMini * width / 8, end - pos));
        n += count;
      }
    }
    return out;
  }

  private void unpack(long[] out, int from, int count, int width, long min) {
    if (width > 64 || (long) count * width > (long) (end - pos) * 8) {
      throw new DamageException("a page has fewer values than its header says");
    }
    long bit = (long) pos << 3;
    long last = out[from - 1];
    for (int i = 0; i < count; i++) {
      last += min + bits(bit, width);
      out[from + i] = last;
      bit += width;
    }
  }

  private long bits(long at, int width) {
    long out = 0;
    int got = 0;
    while (got < width) {
      int i = (int) ((at + got) >>> 3);
      int shift = (int) ((at + got) & 7);
      int take = Math.min(8 - shift, width - got);
      out |= (((bytes[i] & 0xFFL) >>> shift) & ((1L << take) - 1)) << got;
      got += take;
    }
    return out;
  }

  private void advance(long n) {
    if (n > end - pos) {
      throw new DamageException("a page has fewer values than its header says");
    }
    pos += (int) n;
  }

  private long zigzag() {
    long v = varint();
    return (v >>> 1) ^ -(v & 1);
  }

  private long varint() {
    long out = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (pos >= end) {
        throw new DamageException("a page has fewer values than its header says");
      }
      int b = bytes[pos++];
      out |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return out;
      }
    }
    throw new DamageException("a page holds an endless number");
  }
}
