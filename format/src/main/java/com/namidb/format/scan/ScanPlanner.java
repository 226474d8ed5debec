package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.ScanErrors;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import java.util.function.Predicate;

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
    return plan(snapshot, request, store, sst -> false);
  }

  /**
   * Plans without the rows of SSTs that metadata tells enough about. Such an SST still hides older
   * versions that others hold.
   *
   * @param told whether the descriptor of an SST tells enough, given that every row of it is the
   *     newest version of its key; where that is not proven, the SST is read all the same
   */
  public static ScanPlan plan(
      Snapshot snapshot, ScanRequest request, ObjectStore store, Predicate<SstDescriptor> told) {
    boolean edges = request.target() instanceof ScanRequest.Edges;
    return plan(snapshot, request, store, new StoredSsts(store, edges), UnitPlanner.DEFAULT, told);
  }

  static ScanPlan plan(Snapshot snapshot, ScanRequest request, ObjectStore store, SstAccess ssts) {
    return plan(snapshot, request, store, ssts, UnitPlanner.DEFAULT, sst -> false);
  }

  static ScanPlan plan(
      Snapshot snapshot,
      ScanRequest request,
      ObjectStore store,
      SstAccess ssts,
      UnitPlanner.Limits limits) {
    return plan(snapshot, request, store, ssts, limits, sst -> false);
  }

  private static ScanPlan plan(
      Snapshot snapshot,
      ScanRequest request,
      ObjectStore store,
      SstAccess ssts,
      UnitPlanner.Limits limits,
      Predicate<SstDescriptor> told) {
    SliceWal wal = wal(snapshot, request.wal());
    EffectiveLabels labels = EffectiveLabels.of(snapshot.manifest());
    SliceTarget target = target(snapshot.manifest(), request, labels);
    SliceScope scope = new SliceScope(snapshot, request, target, wal);
    try {
      return new Planning(snapshot, scope, labels, store, told)
          .plan(request.sizing(), ssts, limits);
    } catch (NamiException e) {
      throw e.at(scope.where());
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
  public static boolean hasInverse(Manifest manifest, String type) {
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
}
