package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.ScanErrors;
import com.namidb.format.error.Where;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a request on a snapshot into slices. Each live record is emitted by exactly one of them:
 * the one whose base holds the winning version. Source: manifest §5.
 */
public final class ScanPlanner {
  private ScanPlanner() {}

  /**
   * Plans; reads the listed WAL (kept for later reads in this process), id filters for requests of
   * few ids, and footers of SSTs that must be cut.
   *
   * @throws com.namidb.format.error.CorruptObjectException if one of these is missing or damaged
   * @throws com.namidb.format.error.InvalidOptionException if the snapshot lists WAL segments and
   *     the request forbids them
   */
  public static ScanPlan plan(Snapshot snapshot, ScanRequest request, ObjectStore store) {
    Where where = Where.version(snapshot.location().paths().namespace(), snapshot.version());
    SliceWal wal = wal(snapshot, request.wal());
    EffectiveLabels labels = EffectiveLabels.of(snapshot.manifest());
    SliceTarget target = target(snapshot.manifest(), request, labels);
    SliceScope scope = new SliceScope(snapshot, request, target, wal);
    try {
      return plan(snapshot, scope, labels, request.sizing(), store);
    } catch (NamiException e) {
      throw e.at(where);
    }
  }

  /**
   * The names of the label ids that slices of a snapshot show: the snapshot's dictionary, followed
   * by labels that only exist as the scope of a legacy SST.
   */
  public static LabelDictionary labels(Manifest manifest) {
    return EffectiveLabels.of(manifest).names();
  }

  static SliceWal wal(Snapshot snapshot, WalPolicy policy) {
    int segments = snapshot.manifest().walSegments().size();
    if (policy == WalPolicy.REQUIRE_EMPTY && segments > 0) {
      throw ScanErrors.walNotEmpty(
          snapshot.location().paths().namespace(), snapshot.version(), segments);
    }
    return policy == WalPolicy.REPLAY && segments > 0 ? SliceWal.of(snapshot) : SliceWal.none();
  }

  static SliceTarget target(Manifest manifest, ScanRequest request, EffectiveLabels labels) {
    if (request.target() instanceof ScanRequest.Edges edges) {
      boolean byPartner = request.keys().isAll() && !request.partners().isAll();
      return SliceTarget.edges(edges.type(), byPartner && hasInverse(manifest, edges.type()));
    }
    ScanRequest.Nodes nodes = (ScanRequest.Nodes) request.target();
    return SliceTarget.nodes(
        nodes.label().map(labels::idsOf).orElse(null), labels.stored(), labels.extended());
  }

  /** Whether the type's edges are there by destination; the engine always writes both orders. */
  private static boolean hasInverse(Manifest manifest, String type) {
    boolean forward = false;
    boolean inverse = false;
    for (SstDescriptor sst : manifest.ssts()) {
      if (sst.scope().equals(type)) {
        forward |= sst.kind() == SstKind.EDGES_FWD;
        inverse |= sst.kind() == SstKind.EDGES_INV;
      }
    }
    return inverse || !forward;
  }

  private static ScanPlan plan(
      Snapshot snapshot,
      SliceScope scope,
      EffectiveLabels labels,
      ScanRequest.Sizing sizing,
      ObjectStore store) {
    SliceTarget target = scope.target;
    if (target.wantedLabels != null && target.wantedLabels.length == 0) {
      return nothing(snapshot, target);
    }
    TargetWal wal = new TargetWal(WalCache.shared().state(store, scope.wal), target);
    MemberSelection selection = new MemberSelection(snapshot, scope, labels, store);
    selection.select();
    List<Member> members = selection.members;
    List<KeyRange> ranges = new ArrayList<>(members.size());
    for (Member m : members) {
      ranges.add(m.file().keys());
    }
    OverlapIndex index = new OverlapIndex(ranges);
    KeyRanges keys = scope.keys();
    PartBuilder parts = new PartBuilder(members, index, wal, keys);
    Cutter cutter = new Cutter(store, target.isEdges(), sizing.splitBytes());
    for (Unit unit : new UnitPlanner(members, index, sizing.splitBytes()).plan()) {
      parts.add(unit, cutter.cut(unit));
    }
    parts.addWal();
    PlanReport report = new PlanReport(selection, parts, wal.extent(), keys, target.isEdges());
    return new ScanPlan(
        SlicePacker.pack(scope, parts.parts, sizing), report.summary(), report.reasons());
  }

  private static ScanPlan nothing(Snapshot snapshot, SliceTarget target) {
    int listed = 0;
    for (SstDescriptor sst : snapshot.manifest().ssts()) {
      listed += sst.kind() == SstKind.NODES && !target.isEdges() ? 1 : 0;
    }
    List<String> reasons = new ArrayList<>();
    reasons.add("no node of the snapshot ever had the label");
    return new ScanPlan(
        new ArrayList<>(), new ScanPlan.Summary(listed, listed, 0, 0, 0, 0, 0, 0), reasons);
  }
}
