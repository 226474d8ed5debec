package com.namidb.format.store;

/**
 * A part of an object.
 *
 * @param offset first byte, from 0
 * @param length number of bytes, at least 1
 */
public record ByteRange(long offset, int length) {
  /** First byte after the range. */
  public long end() {
    return offset + length;
  }
}
