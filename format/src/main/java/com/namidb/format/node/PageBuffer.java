package com.namidb.format.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/** Growing bytes of a page under construction. */
final class PageBuffer {
  private byte[] bytes;
  private int size;

  PageBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Makes room and returns where it starts; {@link #bytes} may be another array afterwards. */
  int extend(int n) {
    if (n > Integer.MAX_VALUE - 64 - size) {
      throw new IllegalStateException("a page of more than 2 GiB");
    }
    if (size + n > bytes.length) {
      long grown = Math.min(2L * bytes.length, Integer.MAX_VALUE - 64);
      bytes = Arrays.copyOf(bytes, Math.max(size + n, (int) grown));
    }
    size += n;
    return size - n;
  }

  void addByte(int value) {
    int at = extend(1);
    bytes[at] = (byte) value;
  }

  void addInt(int value) {
    int at = extend(4);
    LittleEndian.putInt(bytes, at, value);
  }

  void addLong(long value) {
    int at = extend(8);
    LittleEndian.putLong(bytes, at, value);
  }

  void add(byte[] from, int offset, int length) {
    int at = extend(length);
    System.arraycopy(from, offset, bytes, at, length);
  }

  /** Adds runs with their length before them, as V1 pages hold levels. */
  void addLevels(BytesInput runs) {
    int at = extend(4);
    int before = size;
    addAll(runs);
    LittleEndian.putInt(bytes, at, size - before);
  }

  /** Adds all bytes of an encoder. */
  void addAll(BytesInput in) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream((int) in.size());
      in.writeAllTo(out);
      byte[] all = out.toByteArray();
      add(all, 0, all.length);
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }
}
