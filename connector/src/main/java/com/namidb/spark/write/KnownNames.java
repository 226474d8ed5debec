package com.namidb.spark.write;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.Where;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.EdgeTypes;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses a label or an edge type that the graph does not have, where rows of it must exist. For a
 * delete nothing else tells a typing error: ids are deleted whatever the labels of their nodes.
 */
final class KnownNames {
  private KnownNames() {}

  /**
   * Looks the name up in a version; reads its WAL only for an edge type that no SST has.
   *
   * @throws com.namidb.format.error.InvalidOptionException naming the nearest ones
   */
  static void check(TableTarget target, Snapshot version) {
    if (target instanceof TableTarget.NodesOf nodes && nodes.label().isPresent()) {
      Set<String> labels = new TreeSet<>(ScanPlanner.labels(version.manifest()).names());
      labels.addAll(version.manifest().schema().labels().keySet());
      check(version, "label", nodes.label().get(), labels);
    } else if (target instanceof TableTarget.EdgesOf edges && edges.type().isPresent()) {
      String type = edges.type().get();
      if (!EdgeTypes.listed(version.manifest()).contains(type)) {
        check(version, "edge type", type, types(version));
      }
    }
  }

  private static Set<String> types(Snapshot version) {
    return EdgeTypes.all(version, WalPolicy.REPLAY, OpenNamespace.at(version.location()).store());
  }

  private static void check(Snapshot version, String kind, String name, Set<String> known) {
    if (!known.contains(name)) {
      Where where = Where.version(version.location().paths().namespace(), version.version());
      throw ReadErrors.unknownName(where, kind, name, NearestName.of(name, known), known);
    }
  }
}
