package com.namidb.format.wal;

import com.namidb.format.value.InvalidJsonException;
import java.nio.charset.StandardCharsets;

/**
 * Walks JSON text in a byte array by position and checks its grammar. It exists because property
 * objects are handed on byte for byte: no token may be decoded and printed again.
 */
final class JsonScanner {
  /** The engine's parser refuses deeper documents (values §1.3). */
  private static final int MAX_DEPTH = 127;

  private byte[] text = new byte[0];
  private int start;
  private int at;
  private int end;

  void reset(byte[] bytes, int from, int to) {
    text = bytes;
    start = from;
    at = from;
    end = to;
  }

  int position() {
    return at;
  }

  void moveTo(int position) {
    at = position;
  }

  /** Position of the next token. */
  int valueStart() {
    peek();
    return at;
  }

  /** Requires this character next. */
  void expect(char c) {
    if (!accept(c)) {
      throw invalid("expected '" + c + "'");
    }
  }

  /** Takes this character if it is next. */
  boolean accept(char c) {
    if (peek() != c) {
      return false;
    }
    at++;
    return true;
  }

  /** Requires that nothing but white space follows. */
  void end() {
    if (peek() != -1) {
      throw invalid("text after the document");
    }
  }

  /** A member name. The engine never escapes one, and a misread name would lose properties. */
  String name() {
    if (peek() != '"') {
      throw invalid("expected a name");
    }
    int from = at + 1;
    skipString();
    String name = new String(text, from, at - 1 - from, StandardCharsets.UTF_8);
    if (name.indexOf('\\') >= 0) {
      throw invalid("escaped member name");
    }
    return name;
  }

  /** An unsigned integer of at most this many bits, without fraction or exponent. */
  long unsigned(int bits) {
    int from = valueStart();
    skipNumber();
    String digits = new String(text, from, at - from, StandardCharsets.US_ASCII);
    try {
      long value = Long.parseUnsignedLong(digits);
      if (bits == 64 || value >>> bits == 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid("'" + shortened(digits) + "' is not an unsigned integer");
    }
    throw invalid("'" + digits + "' does not fit " + bits + " bits");
  }

  private static String shortened(String s) {
    return s.length() <= 40 ? s : s.substring(0, 40) + "…";
  }

  /** Passes one value of any type. */
  void skipValue() {
    skipValue(1);
  }

  private void skipValue(int depth) {
    if (depth > MAX_DEPTH) {
      throw invalid("nested deeper than " + MAX_DEPTH);
    }
    switch (peek()) {
      case '{' -> {
        at++;
        if (!accept('}')) {
          do {
            if (peek() != '"') {
              throw invalid("expected a name");
            }
            skipString();
            expect(':');
            skipValue(depth + 1);
          } while (accept(','));
          expect('}');
        }
      }
      case '[' -> {
        at++;
        if (!accept(']')) {
          do {
            skipValue(depth + 1);
          } while (accept(','));
          expect(']');
        }
      }
      case '"' -> skipString();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> skipNumber();
    }
  }

  private void word(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at >= end || text[at] != word.charAt(i)) {
        throw invalid("expected '" + word + "'");
      }
      at++;
    }
  }

  private void skipString() {
    at++;
    while (at < end) {
      byte b = text[at++];
      if (b == '"') {
        return;
      }
      if (b == '\\') {
        escape();
      } else if (b >= 0 && b < 0x20) {
        throw invalid("control character in a string");
      }
    }
    throw invalid("string without end");
  }

  private void escape() {
    int c = at < end ? text[at++] : -1;
    if (c == 'u') {
      for (int i = 0; i < 4; i++) {
        if (at >= end || Character.digit(text[at++], 16) < 0) {
          throw invalid("wrong escape in a string");
        }
      }
    } else if (c < 0 || "\"\\/bfnrt".indexOf(c) < 0) {
      throw invalid("wrong escape in a string");
    }
  }

  private void skipNumber() {
    int c = peek();
    if (c == '-') {
      at++;
    }
    if (at < end && text[at] == '0') {
      at++;
    } else {
      digits();
    }
    if (at < end && text[at] == '.') {
      at++;
      digits();
    }
    if (at < end && (text[at] == 'e' || text[at] == 'E')) {
      at++;
      if (at < end && (text[at] == '+' || text[at] == '-')) {
        at++;
      }
      digits();
    }
  }

  private void digits() {
    int from = at;
    while (at < end && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    if (at == from) {
      throw invalid("expected a value");
    }
  }

  /** The next character after white space, -1 at the end; not taken. */
  private int peek() {
    while (at < end) {
      byte b = text[at];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b & 0xff;
      }
      at++;
    }
    return -1;
  }

  InvalidJsonException invalid(String what) {
    return new InvalidJsonException(null, what + " at byte " + (at - start));
  }
}
