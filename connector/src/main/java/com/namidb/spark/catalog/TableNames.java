package com.namidb.spark.catalog;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.Reading;
import com.namidb.spark.read.EdgeTypes;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells names that exist from typing errors: a label is known once any node carried it or it is
 * declared, an edge type once it is declared, stored or in the WAL. A known name without live rows
 * is an empty table, an unknown one an error.
 */
final class TableNames {
  private final Snapshot snapshot;
  private final Reading reading;
  private final Where where;

  TableNames(Snapshot snapshot, Reading reading) {
    this.snapshot = snapshot;
    this.reading = reading;
    this.where = Where.version(snapshot.location().paths().namespace(), snapshot.version());
  }

  void checkLabel(String label) {
    LabelDictionary carried = ScanPlanner.labels(snapshot.manifest());
    if (carried.id(label).isPresent()) {
      return;
    }
    Set<String> known = new TreeSet<>(carried.names());
    known.addAll(snapshot.manifest().schema().labels().keySet());
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

  Set<String> types() {
    return types(reading.wal());
  }

  private Set<String> types(WalPolicy wal) {
    return EdgeTypes.all(snapshot, wal, OpenNamespace.at(snapshot.location()).store());
  }
}
