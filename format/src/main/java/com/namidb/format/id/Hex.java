package com.namidb.format.id;

import java.util.OptionalLong;

/**
 * Unsigned 64-bit numbers as 16 lower-case hex digits, as in object names. Source: manifest §1.1.
 */
public final class Hex {
  private static final int DIGITS = 16;

  private Hex() {}

  /** Sixteen lower-case digits, zero-padded. */
  public static String h16(long value) {
    String s = Long.toHexString(value);
    return "0".repeat(DIGITS - s.length()) + s;
  }

  /** The number of exactly sixteen hex digits, empty for anything else. */
  public static OptionalLong parseH16(String text) {
    if (text.length() != DIGITS) {
      return OptionalLong.empty();
    }
    long value = 0;
    for (int i = 0; i < DIGITS; i++) {
      char c = text.charAt(i);
      int d = c < 128 ? Character.digit(c, 16) : -1;
      if (d < 0) {
        return OptionalLong.empty();
      }
      value = value << 4 | d;
    }
    return OptionalLong.of(value);
  }
}
