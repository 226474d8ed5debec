package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.record.Column;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The number of live records a request asks for, from metadata as far as that is proven exact.
 *
 * <p>An SST's descriptor gives its share if every row is the newest version of its key, every key
 * is asked for, and the live rows with the asked label are listed. WAL records that no SST beats
 * are counted where they are, in memory. Source: manifest §5, node §9.
 */
public final class ExactCounts {
  private ExactCounts() {}

  /**
   * Counts what can be, and plans the rest.
   *
   * @param request its columns do not matter
   * @throws com.namidb.format.error.NamiException as {@link ScanPlanner#plan}
   */
  public static Counted of(Snapshot snapshot, ScanRequest request, ObjectStore store) {
    ScanRequest rows =
        new ScanRequest(
            request.target(),
            request.keys(),
            request.partners(),
            Set.<Column>of(),
            request.wal(),
            request.sizing());
    EffectiveLabels labels = EffectiveLabels.of(snapshot.manifest());
    SliceTarget target = ScanPlanner.target(snapshot.manifest(), rows, labels);
    ScanPlan plan =
        ScanPlanner.plan(snapshot, rows, store, sst -> live(sst, target, rows).isPresent());
    long sum = 0;
    for (SstDescriptor sst : plan.settled()) {
      sum += live(sst, target, rows).orElseThrow();
    }
    List<ScanSlice> rest = new ArrayList<>();
    for (ScanSlice slice : plan.slices()) {
      if (slice.isUnbeatenWal()) {
        sum += count(slice, store);
      } else {
        rest.add(slice);
      }
    }
    return new Counted(sum, rest, plan.settled().size(), plan.summary().ssts());
  }

  private static long count(ScanSlice slice, ObjectStore store) {
    long n = 0;
    try (SliceReader reader = SliceReader.open(slice, store)) {
      while (reader.next()) {
        n += reader.selection().size();
      }
    }
    return n;
  }

  /**
   * Live rows of an unbeaten SST that the request asks for; empty if its descriptor cannot tell.
   */
  private static OptionalLong live(SstDescriptor sst, SliceTarget target, ScanRequest request) {
    KeyRanges keys = target.inverse ? request.partners() : request.keys();
    KeyRanges partners = target.inverse ? request.keys() : request.partners();
    long live = sst.counts().rows() - sst.counts().tombstones();
    if (!partners.isAll() || !covers(keys, sst.keys()) || live < 0) {
      return OptionalLong.empty();
    }
    if (target.wantedLabels == null || live == 0) {
      return OptionalLong.of(live);
    }
    // Rows of a legacy SST may have its label without saying so, and a node may have both ids of a
    // name that stands twice in the dictionary. No counts at all means that nothing is told.
    Optional<Map<Integer, Long>> counts = sst.labelCounts().filter(c -> !c.isEmpty());
    if (!sst.scope().isEmpty() || counts.isEmpty() || target.wantedLabels.length != 1) {
      return OptionalLong.empty();
    }
    long labelled = counts.get().getOrDefault(target.wantedLabels[0], 0L);
    return labelled > live ? OptionalLong.empty() : OptionalLong.of(labelled);
  }

  private static boolean covers(KeyRanges allowed, KeyRange range) {
    return allowed.intersect(KeyRanges.of(range)).ranges().equals(List.of(range));
  }

  /**
   * What metadata tells.
   *
   * @param rows live records it proves
   * @param rest slices whose live records come on top; none if the number is exact
   * @param settled SSTs whose descriptors gave their share
   * @param ssts SSTs of the target
   */
  public record Counted(long rows, List<ScanSlice> rest, int settled, int ssts) {
    /** Whether {@code rows} is all. */
    public boolean isExact() {
      return rest.isEmpty();
    }
  }
}
