package com.namidb.format.edge;

import java.util.Arrays;

/**
 * The first 64 bytes of an edge SST. Source: edge §1.2. The type and label ids are written but
 * never compared, as the engine does.
 *
 * @param minor generation, 0 to 2
 * @param flags bits of {@code HAS_*} and {@code INVERSE}
 */
record EdgeHeader(int minor, int flags) {
  static final int BYTES = 64;
  static final int HAS_PROPERTIES = 1;
  static final int HAS_TOMBSTONES = 2;
  static final int SKEW_BUCKETS = 4;
  static final int INVERSE = 8;
  static final int MINOR_PAGED = 2;

  private static final byte[] MAGIC = {'T', 'G', 'E', 'D', 'G', 'E', 0, 0};
  private static final int MAJOR = 1;
  private static final int KNOWN_FLAGS = 15;
  private static final int ID_BYTES = 16;

  static EdgeHeader parse(EdgeObject object, Slice s) {
    byte[] b = s.array;
    int at = s.offset;
    if (!Arrays.equals(b, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw object.damaged("it does not start as an edge SST");
    }
    int minor = b[at + 9] & 0xFF;
    if (b[at + 8] != MAJOR || minor > MINOR_PAGED) {
      throw object.unsupported("edge SST version " + (b[at + 8] & 0xFF) + "." + minor);
    }
    if (LeBytes.u16(b, at + 10) != BYTES) {
      throw object.damaged("its header claims " + LeBytes.u16(b, at + 10) + " bytes");
    }
    int flags = LeBytes.i32(b, at + 12);
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw object.unsupported("header flags " + Integer.toHexString(flags));
    }
    return new EdgeHeader(minor, flags);
  }

  boolean hasTombstones() {
    return (flags & HAS_TOMBSTONES) != 0;
  }

  /**
   * The header as stored.
   *
   * @param ids type, source label and destination label, 16 bytes each
   */
  byte[] encode(byte[][] ids) {
    byte[] out = Arrays.copyOf(MAGIC, BYTES);
    out[8] = MAJOR;
    out[9] = (byte) minor;
    LeBytes.put16(out, 10, BYTES);
    LeBytes.put32(out, 12, flags);
    for (int i = 0; i < ids.length; i++) {
      System.arraycopy(ids[i], 0, out, ID_BYTES * (i + 1), ID_BYTES);
    }
    return out;
  }
}
