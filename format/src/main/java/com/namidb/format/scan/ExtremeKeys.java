package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.record.Column;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The smallest or greatest id of a column over live records, if two or three reads can prove it.
 *
 * <p>Key ranges of descriptors hold all keys, so no live record is beyond the outermost of them;
 * whether there is one at that very id, a scan of that id tells: past tombstones, newer versions,
 * labels and bounds that are wider than the rows. Source: manifest §2.5 and §5.
 */
public final class ExtremeKeys {
  private final Snapshot snapshot;
  private final ObjectStore store;
  private final ScanRequest like;
  private final Side side;

  /**
   * Prepares the search.
   *
   * @param like what is asked for; its target and columns do not matter
   */
  public ExtremeKeys(Snapshot snapshot, ScanRequest like, Side side, ObjectStore store) {
    this.snapshot = snapshot;
    this.like = like;
    this.side = side;
    this.store = store;
  }

  /**
   * Searches over all targets together.
   *
   * @throws com.namidb.format.error.NamiException as {@link ScanPlanner#plan} and {@link
   *     SliceReader#next}
   */
  public Extreme of(List<ScanRequest.Target> targets) {
    List<ScanRequest.Target> outermost = new ArrayList<>();
    NodeId end = null;
    for (ScanRequest.Target target : targets) {
      if (side.partner && !hasPartners(target)) {
        return Extreme.UNKNOWN;
      }
      Optional<NodeId> bound = bound(target);
      if (bound.isEmpty()) {
        continue;
      }
      if (end == null || side.isBeyond(bound.get(), end)) {
        end = bound.get();
        outermost.clear();
      }
      if (bound.get().equals(end)) {
        outermost.add(target);
      }
    }
    if (end == null) {
      return new Extreme(true, Optional.empty());
    }
    for (ScanRequest.Target target : outermost) {
      if (isLive(target, end)) {
        return new Extreme(true, Optional.of(end));
      }
    }
    return Extreme.UNKNOWN;
  }

  /** A type without inverse files tells no bound of its destinations. */
  private boolean hasPartners(ScanRequest.Target target) {
    String type = ((ScanRequest.Edges) target).type();
    return kinds(type, SstKind.EDGES_INV) >= 1 || kinds(type, SstKind.EDGES_FWD) == 0;
  }

  private long kinds(String type, SstKind kind) {
    return snapshot.manifest().ssts().stream()
        .filter(s -> s.kind() == kind && s.scope().equals(type))
        .count();
  }

  /** The outermost asked id a live record may have; empty if there can be no such record. */
  private Optional<NodeId> bound(ScanRequest.Target target) {
    Manifest manifest = snapshot.manifest();
    SliceTarget records =
        target instanceof ScanRequest.Edges e
            ? SliceTarget.edges(e.type(), side.partner)
            : ScanPlanner.target(manifest, at(target, like.keys()), EffectiveLabels.of(manifest));
    if (records.wantedLabels != null && records.wantedLabels.length == 0) {
      return Optional.empty();
    }
    KeyRanges allowed = side.partner ? like.partners() : like.keys();
    SliceWal wal = ScanPlanner.wal(snapshot, like.wal());
    Optional<KeyRange> replayed =
        new TargetWal(WalCache.shared().state(store, wal), records).keys();
    Optional<NodeId> end = replayed.flatMap(r -> side.end(allowed, r));
    for (SstDescriptor sst : manifest.ssts()) {
      if (records.isOf(sst) && !sst.isDeleteFile()) {
        Optional<NodeId> mine = side.end(allowed, sst.keys());
        if (mine.isPresent() && (end.isEmpty() || side.isBeyond(mine.get(), end.get()))) {
          end = mine;
        }
      }
    }
    return end;
  }

  private ScanRequest at(ScanRequest.Target target, KeyRanges ids) {
    return new ScanRequest(
        target,
        side.partner ? like.keys() : ids,
        side.partner ? ids : like.partners(),
        Set.<Column>of(),
        like.wal(),
        like.sizing());
  }

  private boolean isLive(ScanRequest.Target target, NodeId id) {
    ScanRequest request = at(target, KeyRanges.ofIds(List.of(id)));
    for (ScanSlice slice : ScanPlanner.plan(snapshot, request, store).slices()) {
      try (SliceReader reader = SliceReader.open(slice, store)) {
        if (reader.next()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Which end of which column. */
  public enum Side {
    /** Smallest node id, or source. */
    FIRST_KEY(false, false),
    /** Greatest node id, or source. */
    LAST_KEY(false, true),
    /** Smallest destination. */
    FIRST_PARTNER(true, false),
    /** Greatest destination. */
    LAST_PARTNER(true, true);

    private final boolean partner;
    private final boolean greatest;

    Side(boolean partner, boolean greatest) {
      this.partner = partner;
      this.greatest = greatest;
    }

    private boolean isBeyond(NodeId a, NodeId b) {
      return greatest ? a.compareTo(b) > 0 : a.compareTo(b) < 0;
    }

    private Optional<NodeId> end(KeyRanges allowed, KeyRange range) {
      List<KeyRange> both = allowed.intersect(KeyRanges.of(range)).ranges();
      if (both.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(greatest ? both.get(both.size() - 1).max() : both.get(0).min());
    }
  }

  /**
   * What was found.
   *
   * @param known whether the answer is proven
   * @param id the id, empty if there is no live record
   */
  public record Extreme(boolean known, Optional<NodeId> id) {
    static final Extreme UNKNOWN = new Extreme(false, Optional.empty());
  }
}
