package com.namidb.format.store;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/** XXH3, 64 bits, seed 0, default secret: the checksum of every NamiDB file. Source: edge §0. */
public final class Xxh3 {
  private static final Hasher64 HASHER = Hashing.xxh3_64();

  private Xxh3() {}

  /** Hash of a whole array. */
  public static long hash(byte[] bytes) {
    return HASHER.hashBytesToLong(bytes);
  }

  /** Hash of a part of an array. */
  public static long hash(byte[] bytes, int offset, int length) {
    return HASHER.hashBytesToLong(bytes, offset, length);
  }

  /** A hash to feed piece by piece. */
  public static HashStream64 stream() {
    return HASHER.hashStream();
  }
}
