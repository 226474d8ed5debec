package com.namidb.format.id;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian longs in byte arrays: half an id at a time. */
public final class IdBytes {
  private static final VarHandle LONG_BE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private IdBytes() {}

  /** The big-endian long that starts at {@code offset}. */
  public static long longAt(byte[] bytes, int offset) {
    return (long) LONG_BE.get(bytes, offset);
  }

  /** Writes a big-endian long at {@code offset}. */
  public static void putLong(byte[] bytes, int offset, long value) {
    LONG_BE.set(bytes, offset, value);
  }
}
