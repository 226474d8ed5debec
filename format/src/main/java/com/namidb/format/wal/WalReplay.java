package com.namidb.format.wal;

import com.namidb.format.store.ObjectStore;
import java.util.List;
import java.util.OptionalLong;

/** Reads the listed segments of a version and replays them. Source: wal §7. */
public final class WalReplay {
  private WalReplay() {}

  /** Replays segments in ascending {@code seq}. */
  public static WalState of(ObjectStore store, List<Segment> segments) {
    throw new IllegalStateException("not built yet: " + store + segments);
  }

  /**
   * A listed segment.
   *
   * @param object its key
   * @param seq sequence number, unsigned
   * @param lastLsn LSN its last record must have, unsigned
   * @param xxh3 checksum of the object, if listed
   */
  public record Segment(String object, long seq, long lastLsn, OptionalLong xxh3) {}
}
