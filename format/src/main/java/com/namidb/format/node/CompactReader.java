package com.namidb.format.node;

/**
 * Walks Thrift compact structs in place, the encoding of page headers and footers. Every length is
 * checked against the bytes that are there, so broken input cannot make anybody allocate.
 */
final class CompactReader {
  static final int STOP = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  static final int STRUCT = 12;
  private static final int MAX_DEPTH = 32;

  private final byte[] bytes;
  private final int end;
  private int pos;
  private int field;
  private int type;

  CompactReader(byte[] bytes, int pos, int end) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = end;
  }

  int position() {
    return pos;
  }

  /** Starts a struct; the caller keeps the outer struct's field number if it goes on there. */
  void begin() {
    field = 0;
  }

  /** Moves to the next field of the struct; false at its end. */
  boolean next() {
    int b = one();
    type = b & 15;
    if (type == STOP) {
      return false;
    }
    int delta = b >>> 4;
    field = delta == 0 ? (int) zigzag() : field + delta;
    return true;
  }

  int field() {
    return field;
  }

  /** Goes on in an outer struct after its field {@code outer} was read. */
  void resume(int outer) {
    field = outer;
  }

  int type() {
    return type;
  }

  /** The current field as an integer of any width. */
  long integer() {
    if (type < BYTE || type > 6) {
      throw new DamageException("a header field has the wrong type");
    }
    return type == BYTE ? (byte) one() : zigzag();
  }

  /** The current field as a boolean. */
  boolean bool() {
    if (type != TRUE && type != FALSE) {
      throw new DamageException("a header field has the wrong type");
    }
    return type == TRUE;
  }

  /** Requires the current field to be a struct and starts it. */
  void struct() {
    if (type != STRUCT) {
      throw new DamageException("a header field has the wrong type");
    }
    begin();
  }

  /** Passes over the current field. */
  void skip() {
    int outer = field;
    skip(type, 0, false);
    field = outer;
  }

  /** Passes over a whole struct, checking every length in it. */
  void skipStruct() {
    skip(STRUCT, 0, false);
  }

  private void skip(int kind, int depth, boolean element) {
    if (depth > MAX_DEPTH) {
      throw new DamageException("a header is nested too deeply");
    }
    switch (kind) {
      case TRUE, FALSE -> advance(element ? 1 : 0);
      case BYTE -> advance(1);
      case 4, 5, 6 -> varint();
      case DOUBLE -> advance(8);
      case BINARY -> advance(varint());
      case LIST, SET -> skipList(depth);
      case MAP -> skipMap(depth);
      case STRUCT -> {
        begin();
        while (next()) {
          int here = field;
          skip(type, depth + 1, false);
          field = here;
        }
      }
      default -> throw new DamageException("a header field has the unknown type " + kind);
    }
  }

  private void skipList(int depth) {
    int b = one();
    long n = (b & 0xFFL) >>> 4;
    if (n == 15) {
      n = varint();
    }
    room(n);
    for (long i = 0; i < n; i++) {
      skip(b & 15, depth + 1, true);
    }
  }

  private void skipMap(int depth) {
    long n = varint();
    room(n);
    if (n > 0) {
      int b = one();
      for (long i = 0; i < n; i++) {
        skip(b >>> 4, depth + 1, true);
        skip(b & 15, depth + 1, true);
      }
    }
  }

  private void room(long n) {
    if (n < 0 || n > end - pos) {
      throw new DamageException("a header claims more than there is");
    }
  }

  private void advance(long n) {
    room(n);
    pos += (int) n;
  }

  private int one() {
    if (pos >= end) {
      throw new DamageException("a header ends early");
    }
    return bytes[pos++] & 0xFF;
  }

  private long varint() {
    long out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = one();
      out |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        return out;
      }
    }
    throw new DamageException("a header holds an endless number");
  }

  private long zigzag() {
    long v = varint();
    return (v >>> 1) ^ -(v & 1);
  }
}
