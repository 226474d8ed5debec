package com.namidb.format.stage;

import com.namidb.format.id.Hex;
import com.namidb.format.id.IdBytes;
import com.namidb.format.manifest.JsonTree;
import com.namidb.format.store.Xxh3;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A digest of a set of keys that does not depend on their order, so that parts add up to the whole:
 * unlike a count it notices some rows written twice while as many were lost.
 *
 * @param count number of keys
 * @param sum sum of the XXH3-64 of all keys, modulo 2^64
 * @param xor exclusive or of the same
 */
public record KeyDigest(long count, long sum, long xor) implements Serializable {
  /** Of no key. */
  public static final KeyDigest EMPTY = new KeyDigest(0, 0, 0);

  /** Of both sets together. */
  public KeyDigest plus(KeyDigest other) {
    return new KeyDigest(count + other.count, sum + other.sum, xor ^ other.xor);
  }

  /** Of the keys that are left when some of them are taken away. */
  public KeyDigest minus(KeyDigest part) {
    return new KeyDigest(count - part.count, sum - part.sum, xor ^ part.xor);
  }

  /** The numbers as one text, for options and reports. */
  public String text() {
    return count + "-" + Hex.h16(sum) + "-" + Hex.h16(xor);
  }

  Map<String, Object> toTree() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("count", count);
    out.put("sum", Hex.h16(sum));
    out.put("xor", Hex.h16(xor));
    return out;
  }

  static KeyDigest of(JsonTree tree) {
    return new KeyDigest(
        tree.number("count"),
        Hex.parseH16(tree.text("sum")).orElseThrow(() -> tree.wrong("sum")),
        Hex.parseH16(tree.text("xor")).orElseThrow(() -> tree.wrong("xor")));
  }

  /** Adds keys up. Not thread-safe. */
  public static final class Builder {
    private final byte[] buffer = new byte[32];
    private long count;
    private long sum;
    private long xor;

    /** Adds a node. */
    public Builder add(long hi, long lo) {
      IdBytes.putLong(buffer, 0, hi);
      IdBytes.putLong(buffer, 8, lo);
      return hashed(16);
    }

    /** Adds an edge, source first whatever the order of the file. */
    public Builder add(long srcHi, long srcLo, long dstHi, long dstLo) {
      IdBytes.putLong(buffer, 0, srcHi);
      IdBytes.putLong(buffer, 8, srcLo);
      IdBytes.putLong(buffer, 16, dstHi);
      IdBytes.putLong(buffer, 24, dstLo);
      return hashed(32);
    }

    private Builder hashed(int length) {
      long hash = Xxh3.hash(buffer, 0, length);
      count++;
      sum += hash;
      xor ^= hash;
      return this;
    }

    /** The digest of what was added so far. */
    public KeyDigest build() {
      return new KeyDigest(count, sum, xor);
    }
  }
}
