package com.namidb.format.node;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Growing JSON text, for the few values that are not stored as JSON. */
final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes = new byte[1 << 10];
  private int size;

  void clear() {
    size = 0;
  }

  int length() {
    return size;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Drops everything from a position on. */
  void cut(int length) {
    size = length;
  }

  /** Adds text as it stands. */
  void text(String s) {
    byte[] b = s.getBytes(StandardCharsets.UTF_8);
    raw(b, 0, b.length);
  }

  /** Adds bytes as they stand. */
  void raw(byte[] b, int from, int n) {
    room(n);
    System.arraycopy(b, from, bytes, size, n);
    size += n;
  }

  /** Adds UTF-8 text as a JSON string. */
  void string(byte[] b, int from, int n) {
    room(6L * n + 2);
    bytes[size++] = '"';
    for (int i = from; i < from + n; i++) {
      int c = b[i];
      if (c == '"' || c == '\\') {
        bytes[size++] = '\\';
        bytes[size++] = b[i];
      } else if (c >= 0 && c < 0x20) {
        text("\\u00");
        bytes[size++] = HEX[c >> 4];
        bytes[size++] = HEX[c & 15];
      } else {
        bytes[size++] = b[i];
      }
    }
    bytes[size++] = '"';
  }

  private void room(long n) {
    if (size + n > bytes.length) {
      long want = Math.max(size + n, 2L * bytes.length);
      if (size + n > Integer.MAX_VALUE - 16) {
        throw new DamageException("a batch of properties is longer than 2 GiB");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(want, Integer.MAX_VALUE - 16));
    }
  }
}
