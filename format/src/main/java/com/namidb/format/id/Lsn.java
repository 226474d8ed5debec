package com.namidb.format.id;

/** Log sequence numbers: unsigned 64-bit, the greatest wins. Source: manifest §5. */
public final class Lsn {
  private Lsn() {}

  /** Tells whether {@code a} is newer than {@code b}. */
  public static boolean newer(long a, long b) {
    return Long.compareUnsigned(a, b) > 0;
  }

  /** The greater of the two, unsigned. */
  public static long max(long a, long b) {
    return newer(a, b) ? a : b;
  }

  /** The smaller of the two, unsigned. */
  public static long min(long a, long b) {
    return newer(a, b) ? b : a;
  }

  /** Tells whether the value fits a signed long, as a Spark column needs. */
  public static boolean fitsSigned(long lsn) {
    return lsn >= 0;
  }
}
