package com.namidb.format.edge;

/** LEB128 numbers of up to 64 bits. Source: edge §0. */
final class VarInts {
  /** Longest form of a number. */
  static final int MAX_BYTES = 10;

  private VarInts() {}

  /** Bytes the number takes in its shortest form. */
  static int length(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  /**
   * Writes the shortest form.
   *
   * @return position after it
   */
  static int put(byte[] b, int at, long value) {
    int i = at;
    long v = value;
    while ((v & ~0x7FL) != 0) {
      b[i++] = (byte) (v | 0x80);
      v >>>= 7;
    }
    b[i++] = (byte) v;
    return i;
  }

  /**
   * Reads a number and moves the reader behind it. Forms that are too long are accepted, forms that
   * overflow 64 bits are damage.
   */
  static long take(SectionReader in) {
    long v = 0;
    for (int i = 0; i < MAX_BYTES; i++) {
      in.need(1);
      byte x = in.takeByte();
      if (i == MAX_BYTES - 1 && (x & 0xFE) != 0) {
        break;
      }
      v |= (x & 0x7FL) << (7 * i);
      if (x >= 0) {
        return v;
      }
    }
    throw in.damaged("a number does not fit 64 bits");
  }
}
