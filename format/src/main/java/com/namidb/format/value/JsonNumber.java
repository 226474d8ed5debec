package com.namidb.format.value;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Reads JSON numbers: which of the two number types the text is, and its exact value. */
final class JsonNumber {
  /** Any number of so many digits fits a long. */
  private static final int LONG_DIGITS = 18;

  /** Any number of so many digits fits an unsigned long. */
  private static final int UNSIGNED_DIGITS = 19;

  private static final int MAX_EXPONENT = 100_000;

  private boolean integer;
  private boolean wrapped;
  private long value;
  private double real;

  /** Whether the last number is stored as an integer: integer text from -2^63 to 2^64-1, not -0. */
  boolean isInteger() {
    return integer;
  }

  /** Whether the last number is an integer from 2^63 on, which {@link #value} shows as negative. */
  boolean isWrapped() {
    return wrapped;
  }

  /** The last integer. */
  long value() {
    return value;
  }

  /** The last number as a double, rounded once from its text. */
  double real() {
    if (!integer) {
      return real;
    }
    return wrapped ? unsigned(value) : value;
  }

  private static double unsigned(long bits) {
    // Halved with a sticky bit, so that the conversion still rounds once.
    return (double) ((bits >>> 1) | (bits & 1)) * 2;
  }

  /**
   * Reads a number.
   *
   * @param p position of its sign or first digit
   * @return position behind it
   */
  int read(byte[] b, int p) {
    int q = p;
    boolean negative = b[q] == '-';
    if (negative) {
      q++;
    }
    int first = q;
    int d = b[q] - '0';
    if (d < 0 || d > 9) {
      throw new JsonFault(negative ? "expected a digit" : "expected a value", q);
    }
    long w = 0;
    while (d >= 0 && d <= 9) {
      w = w * 10 + d;
      d = b[++q] - '0';
    }
    int digits = q - first;
    if (digits > 1 && b[first] == '0') {
      throw new JsonFault("a number begins with 0", first);
    }
    byte c = b[q];
    if (c == '.' || c == 'e' || c == 'E') {
      return readReal(b, p, q, w);
    }
    wrapped = false;
    if (digits <= LONG_DIGITS) {
      integer = w != 0 || !negative;
      value = negative ? -w : w;
      real = -0.0;
    } else {
      large(b, p, q);
    }
    return q;
  }

  private void large(byte[] b, int p, int end) {
    if (end - p <= 21) {
      BigInteger exact = new BigInteger(ascii(b, p, end));
      wrapped = exact.signum() > 0 && exact.bitLength() == 64;
      integer = wrapped || exact.bitLength() <= 63;
      value = exact.longValue();
    } else {
      integer = false;
    }
    if (!integer) {
      real = finite(Double.parseDouble(ascii(b, p, end)), p);
    }
  }

  /**
   * Reads fraction and exponent.
   *
   * @param dot position behind the integer digits
   * @param head value of the integer digits, modulo 2^64
   */
  private int readReal(byte[] b, int p, int dot, long head) {
    long w = head;
    int q = dot;
    int fraction = 0;
    if (b[q] == '.') {
      int from = ++q;
      int d = b[q] - '0';
      while (d >= 0 && d <= 9) {
        w = w * 10 + d;
        d = b[++q] - '0';
      }
      fraction = q - from;
      if (fraction == 0) {
        throw new JsonFault("expected a digit", q);
      }
    }
    int digitsEnd = q;
    int exponent = 0;
    if (b[q] == 'e' || b[q] == 'E') {
      q++;
      boolean down = b[q] == '-';
      if (down || b[q] == '+') {
        q++;
      }
      int from = q;
      int d = b[q] - '0';
      while (d >= 0 && d <= 9) {
        exponent = Math.min(exponent * 10 + d, MAX_EXPONENT);
        d = b[++q] - '0';
      }
      if (q == from) {
        throw new JsonFault("expected a digit", q);
      }
      exponent = down ? -exponent : exponent;
    }
    boolean negative = b[p] == '-';
    double result = Double.NaN;
    if (digitsEnd - p <= UNSIGNED_DIGITS || significant(b, p, digitsEnd) <= UNSIGNED_DIGITS) {
      result = DecimalToDouble.nearest(negative, w, exponent - fraction);
    }
    integer = false;
    wrapped = false;
    real = Double.isNaN(result) ? finite(Double.parseDouble(ascii(b, p, q)), p) : result;
    return q;
  }

  /** Digits from the first that is not zero on. */
  private static int significant(byte[] b, int p, int end) {
    int q = p;
    while (q < end && (b[q] < '1' || b[q] > '9')) {
      q++;
    }
    int count = 0;
    for (; q < end; q++) {
      count += b[q] == '.' ? 0 : 1;
    }
    return count;
  }

  private static double finite(double d, int p) {
    if (Double.isInfinite(d)) {
      throw new JsonFault("a number is out of range", p);
    }
    return d;
  }

  private static String ascii(byte[] b, int from, int to) {
    return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
