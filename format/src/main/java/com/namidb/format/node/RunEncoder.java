package com.namidb.format.node;

import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;

/** Levels and dictionary indexes as runs and bit-packed groups. */
final class RunEncoder {
  private static final int SLAB = 1 << 10;
  private static final int PAGE = 1 << 20;

  private final RunLengthBitPackingHybridEncoder encoder;

  RunEncoder(int width) {
    encoder =
        new RunLengthBitPackingHybridEncoder(
            width, SLAB, PAGE, HeapByteBufferAllocator.getInstance());
  }

  void add(int value) {
    try {
      encoder.writeInt(value);
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }

  BytesInput finish() {
    try {
      return encoder.toBytes();
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }

  /** Bits of values below {@code count}. */
  static int width(int count) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
  }
}
