package com.namidb.spark.read;

import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.wal.WalReplay;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The edge types of a snapshot: declared, stored in SSTs, or only in the WAL. */
public final class EdgeTypes {
  private EdgeTypes() {}

  /** Types the manifest alone tells of, ascending. */
  public static Set<String> listed(Manifest manifest) {
    Set<String> out = new TreeSet<>(manifest.schema().edgeTypes().keySet());
    for (SstDescriptor sst : manifest.ssts()) {
      if (sst.kind() == SstKind.EDGES_FWD || sst.kind() == SstKind.EDGES_INV) {
        out.add(sst.scope());
      }
    }
    return out;
  }

  /** All types, ascending; reads the listed WAL unless it is ignored. */
  public static Set<String> all(Snapshot snapshot, WalPolicy wal, ObjectStore store) {
    Set<String> out = listed(snapshot.manifest());
    if (wal != WalPolicy.IGNORE) {
      out.addAll(replay(snapshot, store).edgeTypes());
    }
    return out;
  }

  /** What a version holds in its WAL only; reads the listed segments. */
  public static WalState replay(Snapshot snapshot, ObjectStore store) {
    List<WalReplay.Segment> segments = new ArrayList<>();
    snapshot
        .manifest()
        .walSegments()
        .forEach(
            s ->
                segments.add(
                    new WalReplay.Segment(
                        snapshot.location().paths().wal(s.seq()), s.seq(), s.lastLsn(), s.xxh3())));
    return segments.isEmpty() ? WalState.empty() : WalReplay.of(store, segments);
  }
}
