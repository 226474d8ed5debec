package com.namidb.format.value;

import java.nio.charset.StandardCharsets;

/** Reads JSON strings; the result is a slice, of the text itself where nothing is escaped. */
final class JsonString {
  private byte[] scratch = new byte[64];
  private byte[] buffer = scratch;
  private int offset;
  private int length;

  /** Buffer of the last string read, valid until the next one. */
  byte[] buffer() {
    return buffer;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  String text() {
    return new String(buffer, offset, length, StandardCharsets.UTF_8);
  }

  /**
   * Reads and checks one string.
   *
   * @param p position behind the opening quote
   * @return position behind the closing quote
   */
  int read(byte[] b, int p, int end) {
    int q = JsonScan.special(b, p, end);
    if (b[q] != '"') {
      q = JsonScan.specialAscii(b, q, end);
      if (b[q] != '"') {
        return unescape(b, p, q, end);
      }
      check(b, p, q, p);
    }
    buffer = b;
    offset = p;
    length = q - p;
    return q + 1;
  }

  private static void check(byte[] b, int from, int to, int at) {
    if (Utf8.firstInvalid(b, from, to) >= 0) {
      throw new JsonFault("a string is not valid UTF-8", at);
    }
  }

  private int unescape(byte[] b, int p, int special, int end) {
    int from = p;
    int q = special;
    int n = 0;
    while (b[q] != '"') {
      if (b[q] != '\\') {
        throw new JsonFault("a control character in a string is not escaped", q);
      }
      n = copy(b, from, q, n);
      from = escape(b, q + 1, end, n);
      n = length;
      q = JsonScan.specialAscii(b, from, end);
    }
    n = copy(b, from, q, n);
    // Escapes give whole sequences, so checking the result checks every raw run.
    check(scratch, 0, n, p);
    buffer = scratch;
    offset = 0;
    length = n;
    return q + 1;
  }

  private int copy(byte[] b, int from, int to, int n) {
    int size = n + to - from;
    // Four more bytes, for the escape that follows.
    if (size > scratch.length - 4) {
      byte[] larger = new byte[Math.max(size + 4, (int) Math.min(2L * scratch.length, 1 << 30))];
      System.arraycopy(scratch, 0, larger, 0, n);
      scratch = larger;
    }
    System.arraycopy(b, from, scratch, n, to - from);
    return size;
  }

  /** Decodes the escape whose letter is at {@code p}; {@code length} becomes the new size. */
  private int escape(byte[] b, int p, int end, int n) {
    int q = p + 1;
    int c =
        switch (b[p]) {
          case '"' -> '"';
          case '\\' -> '\\';
          case '/' -> '/';
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'u' -> -1;
          default -> throw new JsonFault("unknown escape in a string", p);
        };
    if (c < 0) {
      c = hex(b, q, end);
      q += 4;
      if (c >= 0xD800 && c <= 0xDFFF) {
        boolean pair = c <= 0xDBFF && end - q >= 6 && b[q] == '\\' && b[q + 1] == 'u';
        int low = pair ? hex(b, q + 2, end) : 0;
        if (low < 0xDC00 || low > 0xDFFF) {
          throw new JsonFault("half of a surrogate pair in a string", p);
        }
        c = Character.toCodePoint((char) c, (char) low);
        q += 6;
      }
    }
    length = Utf8.encode(c, scratch, n);
    return q;
  }

  private static int hex(byte[] b, int p, int end) {
    if (end - p < 4) {
      throw new JsonFault("a string is not closed", p);
    }
    int value = 0;
    for (int i = p; i < p + 4; i++) {
      int d = b[i] < 0 ? -1 : Character.digit(b[i], 16);
      if (d < 0) {
        throw new JsonFault("bad \\u escape in a string", p);
      }
      value = value << 4 | d;
    }
    return value;
  }
}
