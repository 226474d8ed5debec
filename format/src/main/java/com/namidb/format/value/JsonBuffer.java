package com.namidb.format.value;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;
import com.fasterxml.jackson.core.io.schubfach.FloatToDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of JSON text. */
final class JsonBuffer {
  private static final int MAX_SIZE = Integer.MAX_VALUE - 8;
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int LONG_DIGITS = 20;

  private byte[] bytes = new byte[1024];
  private int size;

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  /** Forgets everything from {@code newSize} on. */
  void truncate(int newSize) {
    size = newSize;
  }

  private void room(int more) {
    if (more > bytes.length - size) {
      long wanted = (long) size + more;
      if (wanted > MAX_SIZE) {
        throw new IllegalStateException("more than 2 GiB of JSON in one buffer");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_SIZE, Math.max(wanted, 2L * bytes.length)));
    }
  }

  void put(char ascii) {
    room(1);
    bytes[size++] = (byte) ascii;
  }

  void put(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  void put(String ascii) {
    room(ascii.length());
    for (int i = 0; i < ascii.length(); i++) {
      bytes[size++] = (byte) ascii.charAt(i);
    }
  }

  void put(long value) {
    if (value == Long.MIN_VALUE) {
      put("-9223372036854775808");
      return;
    }
    room(LONG_DIGITS);
    long rest = value;
    if (rest < 0) {
      bytes[size++] = '-';
      rest = -rest;
    }
    int digits = 1;
    for (long power = 10; digits < 19 && rest >= power; power *= 10) {
      digits++;
    }
    int p = size + digits;
    size = p;
    do {
      bytes[--p] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
  }

  /** The shortest text that reads back as the same double; it always has a point. */
  void put(double finite) {
    put(DoubleToDecimal.toString(finite));
  }

  /** The shortest text that reads back as the same float; it always has a point. */
  void put(float finite) {
    put(FloatToDecimal.toString(finite));
  }

  /** A string with its quotes. */
  void putString(byte[] utf8, int offset, int length) {
    room(length + 2);
    bytes[size++] = '"';
    int end = offset + length;
    int from = offset;
    for (int p = offset; p < end; p++) {
      byte c = utf8[p];
      if (c == '"' || c == '\\' || (c >= 0 && c < ' ')) {
        put(utf8, from, p - from);
        escape(c);
        from = p + 1;
      }
    }
    put(utf8, from, end - from);
    put('"');
  }

  private void escape(byte c) {
    put('\\');
    switch (c) {
      case '"', '\\' -> put((char) c);
      case '\b' -> put('b');
      case '\f' -> put('f');
      case '\n' -> put('n');
      case '\r' -> put('r');
      case '\t' -> put('t');
      default -> {
        put("u00");
        put((char) DIGITS[c >> 4]);
        put((char) DIGITS[c & 15]);
      }
    }
  }
}
