package com.namidb.spark.catalog;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.Reading;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.EdgeTypes;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells names that exist from typing errors: a label is known once any node carried it or it is
 * declared, an edge type once it is declared, stored or in the WAL. A known name without live rows
 * is an empty table, an unknown one an error.
 */
final class TableNames {
  private final Snapshot snapshot;
  private final WalPolicy policy;
  private final Where where;

  TableNames(Snapshot snapshot, Reading reading) {
    this(snapshot, reading.wal());
  }

  /** Those of the whole version, WAL included. */
  TableNames(Snapshot snapshot) {
    this(snapshot, WalPolicy.REPLAY);
  }

  private TableNames(Snapshot snapshot, WalPolicy policy) {
    this.snapshot = snapshot;
    this.policy = policy;
    this.where = Where.version(snapshot.location().paths().namespace(), snapshot.version());
  }

  /**
   * Fails with words about the pin if the version a session is pinned to does not know a table.
   *
   * @param namespace tells whether the newest version does
   */
  static void checkPinned(Snapshot pinned, TableTarget target, Namespace namespace) {
    TableNames names = new TableNames(pinned);
    if (names.has(target)) {
      return;
    }
    Snapshot newest = namespace.snapshot(new SnapshotSelector.Latest());
    boolean there = new TableNames(newest).has(target);
    boolean nodes = target instanceof TableTarget.NodesOf;
    throw ReadErrors.unknownUnderPin(
        names.where,
        nodes ? "label" : "edge type",
        nameOf(target).orElseThrow(),
        new ReadErrors.Pinned(newest.version(), there),
        nodes ? names.labels() : names.types());
  }

  private static Optional<String> nameOf(TableTarget target) {
    return target instanceof TableTarget.NodesOf nodes
        ? nodes.label()
        : ((TableTarget.EdgesOf) target).type();
  }

  /** Whether it knows a table of nodes or edges, rows or not. */
  boolean has(TableTarget target) {
    Optional<String> name = nameOf(target);
    if (name.isEmpty()) {
      return true;
    }
    return target instanceof TableTarget.NodesOf
        ? labels().contains(name.get())
        : EdgeTypes.listed(snapshot.manifest()).contains(name.get())
            || types(WalPolicy.REPLAY).contains(name.get());
  }

  void checkLabel(String label) {
    LabelDictionary carried = ScanPlanner.labels(snapshot.manifest());
    if (carried.id(label).isPresent()) {
      return;
    }
    Set<String> known = labels();
    if (!known.contains(label)) {
      throw ReadErrors.unknownName(where, "label", label, NearestName.of(label, known), known);
    }
  }

  void checkType(String type) {
    // The WAL is read only if the manifest alone does not know the type.
    if (!EdgeTypes.listed(snapshot.manifest()).contains(type)) {
      // With wal=ignore as well: a name that only the WAL has is an empty table, as a label is.
      Set<String> known = types(WalPolicy.REPLAY);
      if (!known.contains(type)) {
        throw ReadErrors.unknownName(where, "edge type", type, NearestName.of(type, known), known);
      }
    }
  }

  /** Every label that is declared or was carried by a node. */
  Set<String> labels() {
    Set<String> known = new TreeSet<>(ScanPlanner.labels(snapshot.manifest()).names());
    known.addAll(snapshot.manifest().schema().labels().keySet());
    return known;
  }

  /** Every edge type. */
  Set<String> types() {
    return types(policy);
  }

  private Set<String> types(WalPolicy wal) {
    return EdgeTypes.all(snapshot, wal, OpenNamespace.at(snapshot.location()).store());
  }
}
