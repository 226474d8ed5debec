package com.namidb.format.edge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in byte arrays, as every integer of the format is stored. */
final class LeBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private LeBytes() {}

  static long u64(byte[] b, int at) {
    return (long) LONG.get(b, at);
  }

  /** A 32-bit number as it is: negative above 2^31-1. */
  static int i32(byte[] b, int at) {
    return (int) INT.get(b, at);
  }

  static long u32(byte[] b, int at) {
    return Integer.toUnsignedLong(i32(b, at));
  }

  static int u16(byte[] b, int at) {
    return (b[at] & 0xFF) | (b[at + 1] & 0xFF) << 8;
  }

  /** The low {@code width} bytes of a number. */
  static long wide(byte[] b, int at, int width) {
    long v = 0;
    for (int i = width - 1; i >= 0; i--) {
      v = v << 8 | (b[at + i] & 0xFFL);
    }
    return v;
  }

  static void put64(byte[] b, int at, long v) {
    LONG.set(b, at, v);
  }

  static void put32(byte[] b, int at, int v) {
    INT.set(b, at, v);
  }

  static void put16(byte[] b, int at, int v) {
    b[at] = (byte) v;
    b[at + 1] = (byte) (v >>> 8);
  }

  static void putWide(byte[] b, int at, long v, int width) {
    for (int i = 0; i < width; i++) {
      b[at + i] = (byte) (v >>> (8 * i));
    }
  }
}
