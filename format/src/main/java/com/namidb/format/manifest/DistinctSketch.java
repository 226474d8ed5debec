package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Arrays;

/** Estimates of distinct values, from the registers descriptors list. Source: manifest §2.5. */
final class DistinctSketch {
  /** {@code HLL+}, version 1. */
  private static final int[] MAGIC = {0x48, 0x4C, 0x4C, 0x2B, 1};

  private static final int HEADER = 8;
  private static final int MIN_PRECISION = 4;
  private static final int MAX_PRECISION = 18;

  private DistinctSketch() {}

  /** Checks that the value is an array of bytes; keeps a {@code Long}, or nothing if unknown. */
  static Object read(JsonCursor in) {
    in.expect(JsonToken.START_ARRAY, "an array of bytes");
    int[] header = new int[HEADER];
    int n = 0;
    int zeros = 0;
    double sum = 0;
    while (in.next() != JsonToken.END_ARRAY) {
      int b = Shapes.byteOf(in);
      if (n < HEADER) {
        header[n] = b;
      } else {
        zeros += b == 0 ? 1 : 0;
        sum += Math.scalb(1.0, -b);
      }
      n++;
    }
    int precision = header[MAGIC.length];
    boolean known =
        Arrays.equals(Arrays.copyOf(header, MAGIC.length), MAGIC)
            && precision >= MIN_PRECISION
            && precision <= MAX_PRECISION
            && n == HEADER + (1 << precision);
    return known ? estimate(1 << precision, zeros, sum) : null;
  }

  /** The usual estimator of HyperLogLog, with linear counting for few values. */
  private static long estimate(int registers, int zeros, double sum) {
    double alpha = 0.7213 / (1 + 1.079 / registers);
    double raw = alpha * registers * registers / sum;
    boolean few = raw <= 2.5 * registers && zeros > 0;
    return Math.round(few ? registers * Math.log((double) registers / zeros) : raw);
  }
}
