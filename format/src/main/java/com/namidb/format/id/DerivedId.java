package com.namidb.format.id;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.HexFormat;

/**
 * Ids derived from business keys: the same label and key give the same id in every run, so that a
 * repeated job is idempotent and edges need no lookup. UUID version 5 of a fixed namespace and the
 * name {@code label NUL (tag length ":" text)*}; frozen, because it is part of users' data. Source:
 * contract §6.
 *
 * <p>Feed the key columns in order, then take {@link #id}. Reusable through {@link #begin}; not
 * thread-safe.
 */
public final class DerivedId {
  private static final NodeId NAMESPACE = NodeId.parse("6f0d9a4e-6c1b-5b0e-9d5e-3a1f4c2b7e10");

  private final MessageDigest sha1;

  /** Prepares a derivation. */
  public DerivedId() {
    try {
      sha1 = MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /** Starts an id of a node with this label. */
  public DerivedId begin(String label) {
    sha1.reset();
    sha1.update(NAMESPACE.toBytes());
    sha1.update(label.getBytes(StandardCharsets.UTF_8));
    sha1.update((byte) 0);
    return this;
  }

  /** Adds a text, as it is. */
  public DerivedId string(byte[] utf8) {
    return part('s', utf8);
  }

  /** Adds an integer of any width. */
  public DerivedId integer(long value) {
    return part('i', Long.toString(value));
  }

  /** Adds a boolean. */
  public DerivedId bool(boolean value) {
    return part('b', Boolean.toString(value));
  }

  /** Adds a date, as yyyy-MM-dd. */
  public DerivedId date(int epochDays) {
    return part('d', LocalDate.ofEpochDay(epochDays).toString());
  }

  /** Adds an instant, as microseconds since 1970 UTC. */
  public DerivedId timestamp(long epochMicros) {
    return part('t', Long.toString(epochMicros));
  }

  /** Adds bytes, as lower-case hex. */
  public DerivedId binary(byte[] value) {
    return part('x', HexFormat.of().formatHex(value));
  }

  /** Adds a decimal, in plain notation with the digits it has. */
  public DerivedId decimal(BigDecimal value) {
    return part('n', value.toPlainString());
  }

  /** The id of what was added since {@link #begin}. */
  public NodeId id() {
    NodeId hash = NodeId.of(sha1.digest(), 0);
    long hi = (hash.hi() & ~0xF000L) | 0x5000L;
    long lo = (hash.lo() & ~(0xC0L << 56)) | (0x80L << 56);
    return new NodeId(hi, lo);
  }

  private DerivedId part(char tag, String text) {
    return part(tag, text.getBytes(StandardCharsets.UTF_8));
  }

  private DerivedId part(char tag, byte[] text) {
    sha1.update((tag + Integer.toString(text.length) + ":").getBytes(StandardCharsets.US_ASCII));
    sha1.update(text);
    return this;
  }
}
