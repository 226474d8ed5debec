package com.namidb.format.edge;

import com.namidb.format.error.CorruptObjectException;
import java.util.function.Function;

/**
 * One table of a FlatBuffers message: fields found through its offset table, every access inside
 * the message. Just enough to read the heads of Arrow streams.
 */
final class FlatTable {
  private final byte[] bytes;
  private final int limit;
  private final int at;
  private final Function<String, CorruptObjectException> damaged;

  private FlatTable(
      byte[] bytes, int limit, int at, Function<String, CorruptObjectException> damaged) {
    this.bytes = bytes;
    this.limit = limit;
    this.at = at;
    this.damaged = damaged;
  }

  /** The root table of a message that fills the first {@code limit} bytes. */
  static FlatTable root(byte[] bytes, int limit, Function<String, CorruptObjectException> damaged) {
    return new FlatTable(bytes, limit, 0, damaged).follow(0);
  }

  private FlatTable follow(int pointer) {
    check(pointer, Integer.BYTES);
    long target = pointer + LeBytes.u32(bytes, pointer);
    if (target > limit - Integer.BYTES) {
      throw bad();
    }
    return new FlatTable(bytes, limit, (int) target, damaged);
  }

  private void check(int position, int length) {
    if (position < 0 || position > limit - length) {
      throw bad();
    }
  }

  private CorruptObjectException bad() {
    return damaged.apply("the head of an Arrow message points outside of it");
  }

  /** Position of a field, or -1 if it has its default value. */
  private int field(int id, int length) {
    long table = (long) at - LeBytes.i32(bytes, at);
    if (table < 0 || table > limit - 4) {
      throw bad();
    }
    int slot = (int) table + 4 + 2 * id;
    if (4 + 2 * id + 2 > LeBytes.u16(bytes, (int) table)) {
      return -1;
    }
    check(slot, 2);
    int offset = LeBytes.u16(bytes, slot);
    if (offset == 0) {
      return -1;
    }
    check(at + offset, length);
    return at + offset;
  }

  /** Whether the field is there. */
  boolean has(int id) {
    return field(id, 1) >= 0;
  }

  /** An unsigned byte, 0 if absent. */
  int u8(int id) {
    int p = field(id, 1);
    return p < 0 ? 0 : bytes[p] & 0xFF;
  }

  /** A 16-bit number, 0 if absent. */
  int u16(int id) {
    int p = field(id, 2);
    return p < 0 ? 0 : LeBytes.u16(bytes, p);
  }

  /** A 64-bit number, 0 if absent. */
  long i64(int id) {
    int p = field(id, Long.BYTES);
    return p < 0 ? 0 : LeBytes.u64(bytes, p);
  }

  /** A table that must be there. */
  FlatTable table(int id) {
    int p = field(id, Integer.BYTES);
    if (p < 0) {
      throw bad();
    }
    return follow(p);
  }

  /** Number of entries of a vector, 0 if absent. */
  long length(int id) {
    int p = field(id, Integer.BYTES);
    return p < 0 ? 0 : LeBytes.u32(bytes, follow(p).at);
  }

  /** The i-th table of a vector. */
  FlatTable tableIn(int id, int i) {
    int p = entry(id, i, Integer.BYTES);
    return follow(p);
  }

  /** A 64-bit number at {@code offset} of the i-th 16-byte struct of a vector. */
  long i64In(int id, int i, int offset) {
    return LeBytes.u64(bytes, entry(id, i, 16) + offset);
  }

  private int entry(int id, int i, int size) {
    if (i >= length(id)) {
      throw bad();
    }
    long p = follow(field(id, Integer.BYTES)).at + 4L + (long) size * i;
    if (p > limit - size) {
      throw bad();
    }
    return (int) p;
  }
}
