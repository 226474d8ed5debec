package com.namidb.format.id;

import java.io.Serializable;

/**
 * A node id: any 16 bytes, ordered as unsigned bytes, shown as a lower-case hyphenated UUID.
 * Source: values §3.1.
 *
 * @param hi bytes 0..7, big-endian
 * @param lo bytes 8..15, big-endian
 */
public record NodeId(long hi, long lo) implements Comparable<NodeId>, Serializable {
  /** The smallest id: 16 zero bytes. */
  public static final NodeId MIN = new NodeId(0, 0);

  /** The greatest id: 16 bytes 0xFF. */
  public static final NodeId MAX = new NodeId(-1, -1);

  /** Length of an id in bytes. */
  public static final int BYTES = 16;

  /** Length of the hyphenated text form in characters. */
  public static final int TEXT_LENGTH = 36;

  /** Compares two ids given as halves, unsigned: negative, zero or positive. */
  public static int compare(long aHi, long aLo, long bHi, long bLo) {
    int c = Long.compareUnsigned(aHi, bHi);
    return c != 0 ? c : Long.compareUnsigned(aLo, bLo);
  }

  /**
   * Reads 16 bytes in network order.
   *
   * @param offset position of the first of the 16 bytes
   */
  public static NodeId of(byte[] bytes, int offset) {
    return new NodeId(IdBytes.longAt(bytes, offset), IdBytes.longAt(bytes, offset + 8));
  }

  /**
   * Parses UUID text: hyphenated, bare 32 hex digits, braced or {@code urn:uuid:}, any case.
   * Source: values §3.1.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  public static NodeId parse(String text) {
    return IdText.parse(text);
  }

  /** The 16 bytes in network order. */
  public byte[] toBytes() {
    byte[] out = new byte[BYTES];
    IdBytes.putLong(out, 0, hi);
    IdBytes.putLong(out, 8, lo);
    return out;
  }

  /** The next greater id, or this one if it is {@link #MAX}. */
  public NodeId next() {
    return lo != -1 ? new NodeId(hi, lo + 1) : hi != -1 ? new NodeId(hi + 1, 0) : this;
  }

  /** The next smaller id, or this one if it is {@link #MIN}. */
  public NodeId previous() {
    return lo != 0 ? new NodeId(hi, lo - 1) : hi != 0 ? new NodeId(hi - 1, -1) : this;
  }

  @Override
  public int compareTo(NodeId other) {
    return compare(hi, lo, other.hi, other.lo);
  }

  @Override
  public String toString() {
    return IdText.format(hi, lo);
  }
}
