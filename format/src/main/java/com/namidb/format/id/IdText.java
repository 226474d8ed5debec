package com.namidb.format.id;

import java.nio.charset.StandardCharsets;

/** Id text: lower-case, hyphenated, 36 ASCII characters. */
public final class IdText {
  private static final byte[] PAIRS = pairs();
  private static final byte[] HEX = hex();
  private static final String URN = "urn:uuid:";

  private IdText() {}

  private static byte[] pairs() {
    byte[] digits = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    byte[] out = new byte[512];
    for (int i = 0; i < 256; i++) {
      out[2 * i] = digits[i >> 4];
      out[2 * i + 1] = digits[i & 15];
    }
    return out;
  }

  /** Value of a hex digit by its character, else -1. */
  private static byte[] hex() {
    byte[] out = new byte[256];
    for (int c = 0; c < out.length; c++) {
      out[c] = (byte) (c < 128 ? Character.digit(c, 16) : -1);
    }
    return out;
  }

  /** Writes the 36 ASCII characters of an id at {@code offset}. */
  public static void write(long hi, long lo, byte[] out, int offset) {
    int p = offset;
    for (int i = 0; i < 16; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        out[p++] = '-';
      }
      int b = (int) ((i < 8 ? hi >>> (56 - 8 * i) : lo >>> (120 - 8 * i)) & 255);
      out[p++] = PAIRS[2 * b];
      out[p++] = PAIRS[2 * b + 1];
    }
  }

  static String format(long hi, long lo) {
    byte[] out = new byte[NodeId.TEXT_LENGTH];
    write(hi, lo, out, 0);
    return new String(out, StandardCharsets.US_ASCII);
  }

  /**
   * Reads the hyphenated form from ASCII bytes without making a string.
   *
   * @param utf8 36 bytes
   * @return {@code null} if they are anything else; {@link NodeId#parse} tells what
   */
  public static NodeId parseHyphenated(byte[] utf8) {
    if (utf8.length != NodeId.TEXT_LENGTH) {
      return null;
    }
    long hi = 0;
    long lo = 0;
    int bad = 0;
    for (int i = 0; i < NodeId.TEXT_LENGTH; i++) {
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        bad |= utf8[i] == '-' ? 0 : -1;
        continue;
      }
      int d = HEX[utf8[i] & 0xFF];
      bad |= d;
      if (i < 18) {
        hi = hi << 4 | (d & 15);
      } else {
        lo = lo << 4 | (d & 15);
      }
    }
    return bad >= 0 ? new NodeId(hi, lo) : null;
  }

  static NodeId parse(String text) {
    String s = text;
    if (s.regionMatches(true, 0, URN, 0, URN.length())) {
      s = s.substring(URN.length());
    } else if (s.length() == 38 && s.startsWith("{") && s.endsWith("}")) {
      s = s.substring(1, 37);
    }
    boolean hyphens = s.length() == NodeId.TEXT_LENGTH;
    if (!hyphens && s.length() != 32) {
      throw new IllegalArgumentException("not a UUID: '" + text + "'");
    }
    long hi = 0;
    long lo = 0;
    int digits = 0;
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (hyphens && (i == 8 || i == 13 || i == 18 || i == 23)) {
        if (c != '-') {
          throw new IllegalArgumentException("not a UUID: '" + text + "'");
        }
        continue;
      }
      int d = c < 128 ? Character.digit(c, 16) : -1;
      if (d < 0) {
        throw new IllegalArgumentException("not a UUID: '" + text + "'");
      }
      if (digits++ < 16) {
        hi = hi << 4 | d;
      } else {
        lo = lo << 4 | d;
      }
    }
    return new NodeId(hi, lo);
  }
}
