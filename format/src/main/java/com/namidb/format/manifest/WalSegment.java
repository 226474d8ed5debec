package com.namidb.format.manifest;

import java.io.Serializable;
import java.util.OptionalLong;

/**
 * A WAL segment listed by a manifest; found by {@code seq}, never by its stored path. Source:
 * manifest §2.6.
 *
 * @param seq sequence number, the object's name
 * @param lastLsn LSN of the last record, unsigned; 0 if there is none
 * @param xxh3Text checksum of the object in decimal as the manifest spells it, {@code null} if not
 *     listed
 */
public record WalSegment(long seq, long lastLsn, String xxh3Text) implements Serializable {
  /** The checksum as an unsigned number, where listed. */
  public OptionalLong xxh3() {
    return xxh3Text == null
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseUnsignedLong(xxh3Text));
  }
}
