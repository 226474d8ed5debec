package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The steps of one planning: select, find units, cut, find shadows, pack. */
final class Planning {
  private final Snapshot snapshot;
  private final SliceScope scope;
  private final EffectiveLabels labels;
  private final ObjectStore store;
  private final Predicate<SstDescriptor> told;
  private Unbeaten unbeaten;

  Planning(
      Snapshot snapshot,
      SliceScope scope,
      EffectiveLabels labels,
      ObjectStore store,
      Predicate<SstDescriptor> told) {
    this.told = told;
    this.snapshot = snapshot;
    this.scope = scope;
    this.labels = labels;
    this.store = store;
  }

  ScanPlan plan(ScanRequest.Sizing sizing, SstAccess ssts, UnitPlanner.Limits limits) {
    SliceTarget target = scope.target;
    if (target.wantedLabels != null && target.wantedLabels.length == 0) {
      return nothing();
    }
    TargetWal wal = new TargetWal(WalCache.shared().state(store, scope.wal), target);
    MemberSelection selection =
        new MemberSelection(snapshot, scope, labels, store, (sst, i) -> isSettled(sst, i, wal));
    selection.select();
    List<Member> members = selection.members;
    List<KeyRange> ranges = new ArrayList<>(members.size());
    for (Member m : members) {
      ranges.add(m.file().keys());
    }
    OverlapIndex index = new OverlapIndex(ranges);
    KeyRanges keys = scope.keys();
    PartBuilder parts = new PartBuilder(members, index, wal, keys);
    List<BaseUnit> units = new UnitPlanner(members, index, sizing.splitBytes(), limits).plan();
    Cutter cutter = Cutter.of(ssts, sizing, units, target.isEdges());
    for (BaseUnit unit : units) {
      parts.add(unit, cutter.cut(unit));
    }
    parts.addWal();
    PlanReport report = new PlanReport(selection, parts, wal.extent(), keys, target.isEdges());
    return new ScanPlan(
        SlicePacker.pack(scope, parts.parts, sizing),
        report.summary(),
        report.reasons(),
        selection.settled);
  }

  private boolean isSettled(SstDescriptor sst, int position, TargetWal wal) {
    if (!told.test(sst)) {
      return false;
    }
    if (unbeaten == null) {
      unbeaten = new Unbeaten(snapshot.manifest().ssts(), scope.target, wal);
    }
    return unbeaten.test(sst, position);
  }

  private ScanPlan nothing() {
    int listed = 0;
    for (SstDescriptor sst : snapshot.manifest().ssts()) {
      listed += sst.kind() == SstKind.NODES ? 1 : 0;
    }
    List<String> reasons = new ArrayList<>();
    reasons.add("no node of the snapshot ever had the label");
    return new ScanPlan(
        new ArrayList<>(),
        new ScanPlan.Summary(listed, listed, 0, 0, 0, 0, 0, 0, 0),
        reasons,
        new ArrayList<>());
  }
}
