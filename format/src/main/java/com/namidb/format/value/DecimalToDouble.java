package com.namidb.format.value;

import java.math.BigInteger;

/**
 * Turns {@code significand × 10^exponent} into the nearest double. Exact products of small numbers
 * first (W. Clinger 1990), then a 128-bit product with a power of ten (M. Eisel and D. Lemire,
 * "Number Parsing at a Gigabyte per Second", 2021). What neither settles is left to the caller.
 */
final class DecimalToDouble {
  private static final int MIN_EXPONENT = -342;
  private static final int MAX_EXPONENT = 308;
  private static final double[] EXACT_POWERS = new double[23];

  /** Negative powers whose products may be exact; a too small factor would hide that. */
  private static final int ROUNDED_UP_FROM = -27;

  /** Leading 128 bits of 5^q, upper half. */
  private static final long[] HIGH = new long[MAX_EXPONENT - MIN_EXPONENT + 1];

  private static final long[] LOW = new long[HIGH.length];

  static {
    double power = 1;
    for (int i = 0; i < EXACT_POWERS.length; i++) {
      EXACT_POWERS[i] = power;
      power *= 10;
    }
    BigInteger five = BigInteger.valueOf(5);
    for (int q = MIN_EXPONENT; q <= MAX_EXPONENT; q++) {
      BigInteger bits;
      if (q >= 0) {
        BigInteger exact = five.pow(q);
        bits = exact.shiftLeft(128).shiftRight(exact.bitLength());
      } else {
        BigInteger divisor = five.pow(-q);
        int shift = divisor.bitLength() + 127;
        bits = BigInteger.ONE.shiftLeft(shift).divide(divisor);
        if (q >= ROUNDED_UP_FROM) {
          bits = bits.add(BigInteger.ONE);
        }
      }
      HIGH[q - MIN_EXPONENT] = bits.shiftRight(64).longValue();
      LOW[q - MIN_EXPONENT] = bits.longValue();
    }
  }

  private DecimalToDouble() {}

  /**
   * The nearest double, or NaN if that needs more precision, a subnormal or an infinity.
   *
   * @param significand unsigned
   */
  static double nearest(boolean negative, long significand, int exponent) {
    if (significand == 0) {
      return negative ? -0.0 : 0.0;
    }
    if (significand >>> 53 == 0 && exponent >= -22 && exponent <= 22) {
      double d = significand;
      d = exponent < 0 ? d / EXACT_POWERS[-exponent] : d * EXACT_POWERS[exponent];
      return negative ? -d : d;
    }
    if (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT) {
      return Double.NaN;
    }
    return wide(negative, significand, exponent);
  }

  private static double wide(boolean negative, long significand, int exponent) {
    int zeros = Long.numberOfLeadingZeros(significand);
    long w = significand << zeros;
    long power = HIGH[exponent - MIN_EXPONENT];
    long high = multiplyHigh(w, power);
    long low = w * power;
    if ((high & 0x1FF) == 0x1FF) {
      // The bits below the mantissa are all ones: the rest of the power may carry into it.
      long more = multiplyHigh(w, LOW[exponent - MIN_EXPONENT]);
      low += more;
      if (Long.compareUnsigned(low, more) < 0) {
        high++;
      }
      if (low == -1L && (exponent < -27 || exponent > 55)) {
        return Double.NaN;
      }
    }
    int top = (int) (high >>> 63);
    long mantissa = high >>> (top + 9);
    // 217706 / 65536 is log2(10), exact enough for every exponent of the table.
    int binary = ((217706 * exponent) >> 16) + 63 + top - zeros + 1023;
    if (binary <= 0) {
      return Double.NaN;
    }
    boolean halfway =
        Long.compareUnsigned(low, 1) <= 0
            && exponent >= -4
            && exponent <= 23
            && (mantissa & 3) == 1
            && mantissa << (top + 9) == high;
    if (halfway) {
      mantissa &= ~1L;
    }
    mantissa = (mantissa + (mantissa & 1)) >>> 1;
    if (mantissa >>> 53 != 0) {
      mantissa = 1L << 52;
      binary++;
    }
    if (binary >= 0x7FF) {
      return Double.NaN;
    }
    long bits = (mantissa & ~(1L << 52)) | ((long) binary << 52);
    return Double.longBitsToDouble(negative ? bits | Long.MIN_VALUE : bits);
  }

  private static long multiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }
}
