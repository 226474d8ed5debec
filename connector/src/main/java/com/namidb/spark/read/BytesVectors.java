package com.namidb.spark.read;

import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/** Property columns of variable width. */
final class BytesVectors {
  private BytesVectors() {}

  /** STRING: text of strings, JSON text of everything else; slices of the payload, no copies. */
  static final class Texts extends PropertyVector {
    private final byte[][] buffers;
    private final int[] offsets;
    private final int[] lengths;

    Texts(DataType type, int capacity) {
      super(type, capacity);
      buffers = new byte[capacity][];
      offsets = new int[capacity];
      lengths = new int[capacity];
    }

    @Override
    boolean string(int row, Slice text, boolean stable) {
      if (stable) {
        buffers[row] = text.buffer;
        offsets[row] = text.offset;
      } else {
        buffers[row] = Arrays.copyOfRange(text.buffer, text.offset, text.offset + text.length);
        offsets[row] = 0;
      }
      lengths[row] = text.length;
      return present(row);
    }

    @Override
    boolean json(int row, Slice text, boolean stable) {
      return string(row, text, stable);
    }

    @Override
    public UTF8String getUTF8String(int row) {
      return isNullAt(row) ? null : UTF8String.fromBytes(buffers[row], offsets[row], lengths[row]);
    }
  }

  /** BINARY. */
  static final class Binaries extends PropertyVector {
    private final byte[][] values;

    Binaries(DataType type, int capacity) {
      super(type, capacity);
      values = new byte[capacity][];
    }

    @Override
    boolean bytes(int row, Slice value) {
      values[row] = Arrays.copyOfRange(value.buffer, value.offset, value.offset + value.length);
      return present(row);
    }

    @Override
    public byte[] getBinary(int row) {
      return isNullAt(row) ? null : values[row];
    }
  }
}
