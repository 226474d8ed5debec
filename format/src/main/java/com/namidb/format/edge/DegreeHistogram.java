package com.namidb.format.edge;

/** Rows per key in powers of two, tombstones included. Source: edge §8. */
public final class DegreeHistogram {
  /** Number of buckets; bucket i counts degrees of 2^i to 2^(i+1)-1. */
  public static final int BUCKETS = 64;

  private static final long MAX_COUNT = 0xFFFF_FFFFL;

  private final long[] counts = new long[BUCKETS];
  private long keys;
  private long max;
  private long sum;

  DegreeHistogram() {}

  void add(long degree) {
    int bucket = Long.SIZE - 1 - Long.numberOfLeadingZeros(degree);
    counts[bucket] = Math.min(MAX_COUNT, counts[bucket] + 1);
    keys++;
    max = Math.max(max, degree);
    sum += degree;
  }

  /** Keys per bucket, each at most 2^32-1. */
  public long[] counts() {
    return counts.clone();
  }

  /** Distinct keys. */
  public long keys() {
    return keys;
  }

  /** Greatest degree. */
  public long max() {
    return max;
  }

  /** Sum of all degrees: the number of rows. */
  public long sum() {
    return sum;
  }
}
