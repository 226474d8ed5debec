package com.namidb.format.manifest;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** A JSON array put together from texts of its elements. */
final class SstList {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  SstList() {
    out.write('[');
  }

  void add(byte[] text) {
    if (out.size() > 1) {
      out.write(',');
    }
    out.write(text, 0, text.length);
  }

  byte[] toBytes() {
    byte[] whole = Arrays.copyOf(out.toByteArray(), out.size() + 1);
    whole[out.size()] = ']';
    return whole;
  }
}
