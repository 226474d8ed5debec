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

  private static final long ZEROS = 0x3030303030303030L;
  private static final long ABOVE_NINE = 0x7676767676767676L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long PAIR_MASK = 0x000000FF000000FFL;
  private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000};

  private boolean integer;
  private boolean wrapped;
  private long value;
  private double real;
  private long digits;

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
    q = digits(b, q, 0);
    long w = digits;
    int digits = q - first;
    if (digits == 0) {
      throw new JsonFault(negative ? "expected a digit" : "expected a value", q);
    }
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

  /**
   * Reads a run of digits, eight at a time: numbers differ in length, and a loop per digit would
   * mispredict its end. {@code digits} becomes {@code head} followed by them, modulo 2^64.
   *
   * @return position behind the last digit
   */
  private int digits(byte[] b, int p, long head) {
    long value = head;
    int q = p;
    while (q <= b.length - 8) {
      long word = JsonScan.word(b, q) ^ ZEROS;
      // Bytes above 9 get their highest bit; the lowest such byte is exact.
      long other = ((word + ABOVE_NINE) | word) & HIGH;
      if (other == 0) {
        value = value * 100_000_000 + eight(word);
        q += 8;
        continue;
      }
      int n = Long.numberOfTrailingZeros(other) >>> 3;
      if (n > 0) {
        value = value * POWERS[n] + eight(word << (64 - 8 * n));
      }
      digits = value;
      return q + n;
    }
    int d = b[q] - '0';
    while (d >= 0 && d <= 9) {
      value = value * 10 + d;
      d = b[++q] - '0';
    }
    digits = value;
    return q;
  }

  /** Number of eight decimal digits, the most significant in the lowest byte. */
  private static long eight(long word) {
    // Pairs of digits, then pairs of pairs, then both halves at once.
    long pairs = word * 10 + (word >>> 8);
    long even = (pairs & PAIR_MASK) * (100L + (1_000_000L << 32));
    long odd = ((pairs >>> 16) & PAIR_MASK) * (1L + (10_000L << 32));
    return (even + odd) >>> 32;
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
    int q = dot;
    digits = head;
    int fraction = 0;
    if (b[q] == '.') {
      int from = q + 1;
      q = digits(b, from, head);
      fraction = q - from;
      if (fraction == 0) {
        throw new JsonFault("expected a digit", q);
      }
    }
    long significand = digits;
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
      result = DecimalToDouble.nearest(negative, significand, exponent - fraction);
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
