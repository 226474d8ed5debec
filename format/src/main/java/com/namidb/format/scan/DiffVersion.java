package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** One version of a difference while it is planned: its sources of the target. */
final class DiffVersion {
  final EffectiveLabels labels;
  final SliceScope scope;
  final TargetWal wal;
  final List<SliceFile> files = new ArrayList<>();

  /** SSTs of the target, those without an asked key included. */
  final Set<UUID> listed = new HashSet<>();

  private final OverlapIndex index;

  DiffVersion(Snapshot snapshot, ScanRequest request, ObjectStore store) {
    labels = EffectiveLabels.of(snapshot.manifest());
    SliceTarget target =
        request.target() instanceof ScanRequest.Edges edges
            ? SliceTarget.edges(edges.type(), false)
            : ScanPlanner.target(snapshot.manifest(), request, labels);
    scope = new SliceScope(snapshot, request, target, ScanPlanner.wal(snapshot, request.wal()));
    // Nothing is settled by metadata: which of two equal rows changed only the rows tell.
    MemberSelection selection =
        new MemberSelection(snapshot, scope, labels, store, (sst, i) -> false);
    selection.select();
    for (SstDescriptor sst : snapshot.manifest().ssts()) {
      if (target.isOf(sst)) {
        listed.add(sst.id());
      }
    }
    List<KeyRange> ranges = new ArrayList<>();
    for (Member m : selection.members) {
      files.add(m.file());
      ranges.add(m.file().keys());
    }
    index = new OverlapIndex(ranges);
    wal = new TargetWal(WalCache.shared().state(store, scope.wal), target);
  }

  /** Whether no record can be in the table, because no node ever had the label. */
  static boolean isEmpty(SliceScope scope) {
    return scope.target.wantedLabels != null && scope.target.wantedLabels.length == 0;
  }

  /** What a slice needs of this version: every file that may hold a key that may have changed. */
  DiffSide side(KeyRange piece, DiffSources sources, LabelDictionary all) {
    List<SliceFile> read = new ArrayList<>();
    index.visit(
        piece,
        i -> {
          KeyRange inside = files.get(i).keys().intersect(piece).orElseThrow();
          if (sources.keys().overlaps(inside)) {
            read.add(files.get(i));
          }
          return true;
        });
    boolean[] differs = new boolean[read.size()];
    for (int i = 0; i < differs.length; i++) {
      differs[i] = !sources.isShared(read.get(i));
    }
    List<String> own = labels.names().names();
    int[] labelMap = new int[own.size()];
    Arrays.setAll(labelMap, i -> all.id(own.get(i)).orElseThrow());
    return new DiffSide(scope, read.toArray(new SliceFile[0]), differs, labelMap);
  }
}
