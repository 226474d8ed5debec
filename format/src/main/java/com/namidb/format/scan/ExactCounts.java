package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The number of live records of a target from metadata alone, where that is proven exact: every key
 * has one version only, because no WAL row and no two SSTs can hold the same key. Source: manifest
 * §5.
 */
public final class ExactCounts {
  private ExactCounts() {}

  /**
   * Counts, or says why metadata cannot.
   *
   * @param wal as for a scan; the WAL is replayed only if it takes part
   */
  public static Result of(
      Snapshot snapshot, ScanRequest.Target target, WalPolicy wal, ObjectStore store) {
    try {
      return count(snapshot, target, wal, store);
    } catch (NamiException e) {
      throw e.at(Where.version(snapshot.location().paths().namespace(), snapshot.version()));
    }
  }

  private static Result count(
      Snapshot snapshot, ScanRequest.Target target, WalPolicy policy, ObjectStore store) {
    ScanRequest request =
        new ScanRequest(
            target,
            KeyRanges.ALL,
            KeyRanges.ALL,
            Set.of(),
            policy,
            new ScanRequest.Sizing(Long.MAX_VALUE, true));
    SliceWal wal = ScanPlanner.wal(snapshot, policy);
    EffectiveLabels labels = EffectiveLabels.of(snapshot.manifest());
    SliceTarget records = ScanPlanner.target(snapshot.manifest(), request, labels);
    if (records.wantedLabels != null && records.wantedLabels.length == 0) {
      return new Exact(0, "no node of the snapshot ever had the label");
    }
    TargetWal rows = new TargetWal(WalCache.shared().state(store, wal), records);
    if (rows.extent().rows() > 0) {
      return new Unknown(rows.extent().rows() + " WAL record(s) may change what the SSTs hold");
    }
    List<SstDescriptor> ssts = listed(snapshot, records);
    Optional<String> overlap = overlap(ssts);
    if (overlap.isPresent()) {
      return new Unknown(overlap.get());
    }
    return sum(ssts, records);
  }

  private static List<SstDescriptor> listed(Snapshot snapshot, SliceTarget target) {
    List<SstDescriptor> out = new ArrayList<>();
    for (SstDescriptor sst : snapshot.manifest().ssts()) {
      boolean wanted =
          target.isEdges()
              ? sst.kind() == SstKind.EDGES_FWD && sst.scope().equals(target.edgeType)
              : sst.kind() == SstKind.NODES;
      if (wanted && sst.counts().rows() > 0) {
        out.add(sst);
      }
    }
    out.sort(Comparator.comparing(s -> s.keys().min()));
    return out;
  }

  private static Optional<String> overlap(List<SstDescriptor> ssts) {
    KeyRange before = null;
    for (SstDescriptor sst : ssts) {
      if (before != null && before.overlaps(sst.keys())) {
        return Optional.of("SSTs overlap in their key ranges, e.g. at " + sst.keys().min());
      }
      before = sst.keys();
    }
    return Optional.empty();
  }

  private static Result sum(List<SstDescriptor> ssts, SliceTarget target) {
    long sum = 0;
    for (SstDescriptor sst : ssts) {
      long live = sst.counts().rows() - sst.counts().tombstones();
      if (live < 0) {
        return new Unknown("an SST lists more tombstones than rows: " + sst.path());
      }
      if (target.wantedLabels == null || live == 0) {
        sum += live;
        continue;
      }
      Optional<Map<Integer, Long>> counts = sst.labelCounts().filter(c -> !c.isEmpty());
      if (!sst.scope().isEmpty() || counts.isEmpty()) {
        return new Unknown("an SST does not list how many nodes carry each label: " + sst.path());
      }
      if (target.wantedLabels.length > 1) {
        return new Unknown("the label name has several ids, so that a node may carry it twice");
      }
      sum += counts.get().getOrDefault(target.wantedLabels[0], 0L);
    }
    return new Exact(
        sum, ssts.size() + " SST(s) with disjoint key ranges and no WAL record of the target");
  }

  /** What metadata tells. */
  public sealed interface Result {}

  /**
   * The count is exact.
   *
   * @param rows live records
   * @param proof why
   */
  public record Exact(long rows, String proof) implements Result {}

  /**
   * Only a scan can tell.
   *
   * @param reason why
   */
  public record Unknown(String reason) implements Result {}
}
