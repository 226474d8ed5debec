package com.namidb.format.scan;

import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.WalSegment;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.wal.WalReplay;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The WAL segments of a snapshot, and the name their replay is cached by. Plain fields only. */
final class SliceWal implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String[] objects;
  private final long[] seqs;
  private final long[] lastLsns;
  private final String[] hashes;
  private final String cacheKey;

  private SliceWal(List<WalSegment> segments, String[] objects, String prefix) {
    this.objects = objects;
    seqs = new long[objects.length];
    lastLsns = new long[objects.length];
    hashes = new String[objects.length];
    StringBuilder key = new StringBuilder(prefix);
    for (int i = 0; i < objects.length; i++) {
      WalSegment s = segments.get(i);
      seqs[i] = s.seq();
      lastLsns[i] = s.lastLsn();
      hashes[i] = s.xxh3Text();
      key.append('|').append(objects[i]).append(',').append(s.lastLsn()).append(',');
      key.append(s.xxh3Text());
    }
    cacheKey = key.toString();
  }

  /** No segments: what a scan without WAL has. */
  static SliceWal none() {
    return new SliceWal(List.of(), new String[0], "");
  }

  static SliceWal of(Snapshot snapshot) {
    List<WalSegment> segments = snapshot.manifest().walSegments();
    String[] objects = new String[segments.size()];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = snapshot.location().paths().wal(segments.get(i).seq());
    }
    Manifest m = snapshot.manifest();
    // The writer id is part of it: a forced restore may use a version number again.
    String prefix =
        snapshot.location().store() + "|" + m.version() + "|" + m.epoch() + "|" + m.writerId();
    return new SliceWal(segments, objects, prefix);
  }

  boolean isEmpty() {
    return objects.length == 0;
  }

  String cacheKey() {
    return cacheKey;
  }

  List<WalReplay.Segment> segments() {
    List<WalReplay.Segment> out = new ArrayList<>(objects.length);
    for (int i = 0; i < objects.length; i++) {
      OptionalLong hash =
          hashes[i] == null
              ? OptionalLong.empty()
              : OptionalLong.of(Long.parseUnsignedLong(hashes[i]));
      out.add(new WalReplay.Segment(objects[i], seqs[i], lastLsns[i], hash));
    }
    return out;
  }
}
