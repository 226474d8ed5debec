package com.namidb.format.wal;

import com.namidb.format.error.FileErrors;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import com.namidb.format.store.Xxh3;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads the listed segments of a version and replays them. Source: wal §7. */
public final class WalReplay {
  private WalReplay() {}

  /**
   * Replays segments in ascending {@code seq} (unsigned), one GET each.
   *
   * @throws com.namidb.format.error.CorruptObjectException if a segment is missing, damaged, or
   *     differs from its entry in the manifest
   */
  public static WalState of(ObjectStore store, List<Segment> segments) {
    if (segments.isEmpty()) {
      return WalState.empty();
    }
    List<Segment> ordered = new ArrayList<>(segments);
    ordered.sort((a, b) -> Long.compareUnsigned(a.seq, b.seq));
    WalStateBuilder state = new WalStateBuilder();
    for (Segment segment : ordered) {
      StoredObject stored =
          store
              .get(segment.object)
              .orElseThrow(() -> FileErrors.missing(WalSegmentReader.KIND, segment.object));
      byte[] bytes = stored.bytes();
      checkHash(segment, bytes);
      List<WalEntry> entries = WalSegmentReader.read(segment.object, bytes);
      checkLastLsn(segment, entries);
      state.add(segment.object, bytes, entries);
    }
    return state.build();
  }

  private static void checkHash(Segment segment, byte[] bytes) {
    if (segment.xxh3.isEmpty()) {
      return;
    }
    long found = Xxh3.hash(bytes);
    if (found != segment.xxh3.getAsLong()) {
      throw FileErrors.damaged(
          WalSegmentReader.KIND,
          segment.object,
          "its xxh3 is "
              + Long.toUnsignedString(found)
              + ", the manifest lists "
              + Long.toUnsignedString(segment.xxh3.getAsLong()));
    }
  }

  private static void checkLastLsn(Segment segment, List<WalEntry> entries) {
    long last = entries.isEmpty() ? 0 : entries.get(entries.size() - 1).lsn();
    if (last != segment.lastLsn) {
      throw FileErrors.damaged(
          WalSegmentReader.KIND,
          segment.object,
          "its last LSN is "
              + Long.toUnsignedString(last)
              + ", the manifest lists "
              + Long.toUnsignedString(segment.lastLsn));
    }
  }

  /**
   * A listed segment.
   *
   * @param object its key
   * @param seq sequence number, unsigned
   * @param lastLsn LSN its last record must have, unsigned; 0 if it has none
   * @param xxh3 checksum of the object, if listed
   */
  public record Segment(String object, long seq, long lastLsn, OptionalLong xxh3) {}
}
