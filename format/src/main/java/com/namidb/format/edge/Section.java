package com.namidb.format.edge;

import java.nio.charset.StandardCharsets;

/**
 * An entry of the section table. Source: edge §1.4.
 *
 * @param kind one of {@link SectionKind} or a number unknown to us
 * @param offset first byte in the object
 * @param length stored bytes
 * @param codec how the section is stored
 * @param hash XXH3 of the stored bytes
 * @param name property name of a stream, else empty
 */
record Section(int kind, long offset, long length, int codec, long hash, String name) {
  static final int FIXED_BYTES = 29;
  static final int CODEC_PLAIN = 0;
  static final int CODEC_ZSTD = 1;
  static final int CODEC_PAGES = 2;
  static final int CODEC_ZSTD_PAGES = 3;

  /** Name for messages. */
  String label() {
    return SectionKind.name(kind) + (name.isEmpty() ? "" : " '" + name + "'");
  }

  /** The entry as stored. */
  byte[] encode() {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[FIXED_BYTES + text.length];
    LeBytes.put16(out, 0, kind);
    LeBytes.put64(out, 2, offset);
    LeBytes.put64(out, 10, length);
    out[18] = (byte) codec;
    LeBytes.put64(out, 20, hash);
    out[28] = (byte) text.length;
    System.arraycopy(text, 0, out, FIXED_BYTES, text.length);
    return out;
  }
}
