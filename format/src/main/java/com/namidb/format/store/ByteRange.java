package com.namidb.format.store;

/**
 * A part of an object.
 *
 * @param offset first byte, from 0
 * @param length number of bytes, at least 1
 */
public record ByteRange(long offset, int length) {
  /** Refuses what no store can serve; a codec checks the numbers of a file before it asks. */
  public ByteRange {
    if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
      throw new IllegalStateException("no range of an object: " + length + " bytes at " + offset);
    }
  }

  /** First byte after the range. */
  public long end() {
    return offset + length;
  }
}
