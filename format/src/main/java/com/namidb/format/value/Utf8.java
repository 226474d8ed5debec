package com.namidb.format.value;

/** Checks UTF-8: shortest forms only, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
  private static final long HIGH = 0x8080808080808080L;

  private Utf8() {}

  /** Position of the first byte that begins no valid sequence, -1 if all is well. */
  static int firstInvalid(byte[] b, int from, int to) {
    int p = from;
    while (p < to) {
      if (to - p >= 8 && (JsonScan.word(b, p) & HIGH) == 0) {
        p += 8;
        continue;
      }
      int c = b[p];
      if (c >= 0) {
        p++;
        continue;
      }
      int length = sequence(b, p, to);
      if (length == 0) {
        return p;
      }
      p += length;
    }
    return -1;
  }

  /** Length of the multi-byte sequence at {@code p}, 0 if it is invalid. */
  private static int sequence(byte[] b, int p, int to) {
    int lead = b[p] & 0xFF;
    int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || p + length > to) {
      return 0;
    }
    for (int i = 1; i < length; i++) {
      if ((b[p + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    int second = b[p + 1] & 0xFF;
    boolean wrong =
        switch (lead) {
          case 0xE0 -> second < 0xA0;
          case 0xED -> second >= 0xA0;
          case 0xF0 -> second < 0x90;
          case 0xF4 -> second >= 0x90;
          default -> false;
        };
    return wrong ? 0 : length;
  }

  /** Whether text holds half of a surrogate pair, which has no UTF-8. */
  static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  /** Appends one code point that is no surrogate; room for four bytes must be there. */
  static int encode(int codePoint, byte[] to, int at) {
    int p = at;
    if (codePoint < 0x80) {
      to[p++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      to[p++] = (byte) (0xC0 | codePoint >> 6);
      to[p++] = (byte) (0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
      to[p++] = (byte) (0xE0 | codePoint >> 12);
      to[p++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
      to[p++] = (byte) (0x80 | (codePoint & 0x3F));
    } else {
      to[p++] = (byte) (0xF0 | codePoint >> 18);
      to[p++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
      to[p++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
      to[p++] = (byte) (0x80 | (codePoint & 0x3F));
    }
    return p;
  }
}
