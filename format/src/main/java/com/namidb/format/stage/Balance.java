package com.namidb.format.stage;

import java.io.Serializable;

/**
 * Where the rows of a source went.
 *
 * @param source rows read
 * @param accepted rows in candidate files
 * @param quarantined rows set aside with a reason
 */
public record Balance(long source, long accepted, long quarantined) implements Serializable {
  /** Of no row. */
  public static final Balance EMPTY = new Balance(0, 0, 0);

  /** Whether no row is missing and none is counted twice. */
  public boolean holds() {
    return source == accepted + quarantined;
  }

  /** Both together. */
  public Balance plus(Balance other) {
    return new Balance(
        source + other.source, accepted + other.accepted, quarantined + other.quarantined);
  }

  @Override
  public String toString() {
    return source + " rows read, " + accepted + " accepted, " + quarantined + " quarantined";
  }
}
