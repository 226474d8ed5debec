package com.namidb.format.commit;

import com.namidb.format.error.CommitConflictException;
import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.SnapshotGoneException;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.log.Floor;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.manifest.WalSegment;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.wal.WalReplay;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Did rows that matter change between the version a job read and the one it commits on? Walks the
 * versions in between, because both ends alone do not tell: compactions drop tombstones and LSNs
 * may restart. Source: manifest §4.8, protocol §6.
 */
final class Conflicts {
  private static final int SHOWN = 5;

  private final ManifestLog log;
  private final NamespacePaths paths;
  private final ObjectStore store;

  Conflicts(ManifestLog log, NamespacePaths paths, ObjectStore store) {
    this.log = log;
    this.paths = paths;
    this.store = store;
  }

  /**
   * Refuses a base on which the job's result would be wrong.
   *
   * @throws com.namidb.format.error.CommitConflictException naming the version, and keys if known
   */
  void check(Where where, PublishOrder order, Snapshot base, List<CandidateFile> files) {
    Snapshot read = order.read();
    if (read == null || read.ref().equals(base.ref())) {
      return;
    }
    long from = read.version();
    long to = base.version();
    if (Long.compareUnsigned(to, from) <= 0) {
      throw conflict(where, from, to, "the namespace was replaced meanwhile", List.of());
    }
    Manifest before = read.manifest();
    for (long k = from + 1; Long.compareUnsigned(k, to) <= 0; k++) {
      Manifest now = k == to ? base.manifest() : version(where, from, k);
      Optional<String> reason = change(before, now, order.footprint());
      if (reason.isPresent()) {
        if (order.isolation() == Isolation.SERIALIZABLE) {
          throw conflict(where, from, k, reason.get(), List.of());
        }
        List<String> keys = changedKeys(where, order, base, files);
        if (!keys.isEmpty()) {
          throw conflict(where, from, k, "keys of this job have another winner", keys);
        }
        return;
      }
      before = now;
    }
  }

  private List<String> changedKeys(
      Where where, PublishOrder order, Snapshot base, List<CandidateFile> files) {
    Snapshot read = order.read();
    try {
      return order.winners().changedKeys(read, base, files, SHOWN);
    } catch (CorruptObjectException | SnapshotGoneException e) {
      Optional<Floor> floor = log.stored().floor();
      boolean given = floor.isPresent() && floor.get().covers(read.version());
      if (!given && log.find(read.version()).isPresent()) {
        throw e;
      }
      throw conflict(
          where, read.version(), base.version(), "files it read are collected", List.of());
    }
  }

  private Manifest version(Where where, long read, long k) {
    return log.find(k)
        .map(Committed::manifest)
        .orElseThrow(() -> conflict(where, read, k, "that version is collected", List.of()));
  }

  /** What changed among the rows that matter, empty if nothing. */
  private Optional<String> change(Manifest before, Manifest now, Footprint footprint) {
    long floor = before.lsnFloor();
    Set<UUID> known = new HashSet<>();
    before.ssts().forEach(sst -> known.add(sst.id()));
    for (SstDescriptor sst : now.ssts()) {
      boolean rows = !known.contains(sst.id()) && Long.compareUnsigned(sst.lsns().max(), floor) > 0;
      if (rows && touches(sst, footprint)) {
        return Optional.of(
            (sst.kind() == SstKind.NODES ? "nodes" : "edges of type '" + sst.scope() + "'")
                + " were written");
      }
    }
    Set<Long> seqs = new HashSet<>();
    before.walSegments().forEach(s -> seqs.add(s.seq()));
    List<WalSegment> added = new ArrayList<>(now.walSegments());
    added.removeIf(s -> seqs.contains(s.seq()));
    return added.isEmpty() ? Optional.empty() : walChange(added, footprint);
  }

  private static boolean touches(SstDescriptor sst, Footprint footprint) {
    if (sst.kind() == SstKind.EDGES_FWD || sst.kind() == SstKind.EDGES_INV) {
      return footprint.type(sst.scope());
    }
    // Any write of a node may give it a label or take one away, and no descriptor tells which.
    return sst.kind() == SstKind.NODES && footprint.nodes();
  }

  private Optional<String> walChange(List<WalSegment> added, Footprint footprint) {
    List<WalReplay.Segment> segments = new ArrayList<>();
    for (WalSegment s : added) {
      segments.add(new WalReplay.Segment(paths.wal(s.seq()), s.seq(), s.lastLsn(), s.xxh3()));
    }
    WalState state;
    try {
      state = WalReplay.of(store, segments);
    } catch (CorruptObjectException e) {
      return Optional.of("rows were written to a WAL segment that is collected");
    }
    for (String type : state.edgeTypes()) {
      if (footprint.type(type) && state.edgeCount(type) > 0) {
        return Optional.of("edges of type '" + type + "' were written");
      }
    }
    return footprint.nodes() && state.nodeCount() > 0
        ? Optional.of("nodes were written")
        : Optional.empty();
  }

  private static CommitConflictException conflict(
      Where where, long read, long at, String reason, List<String> keys) {
    Where there = new Where(where.namespace(), at, where.object(), where.jobId());
    return CommitErrors.changed(there, read, reason, keys);
  }
}
