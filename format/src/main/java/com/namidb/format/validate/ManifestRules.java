package com.namidb.format.validate;

import com.namidb.format.id.Lsn;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestCheck;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.manifest.WalSegment;
import com.namidb.format.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What must hold of a manifest whoever wrote it. Source: manifest §2.3, §2.5, §8. */
final class ManifestRules {
  private final List<Finding> out = new ArrayList<>();

  private ManifestRules() {}

  static List<Finding> findings(Snapshot snapshot) {
    ManifestRules rules = new ManifestRules();
    Manifest manifest = snapshot.manifest();
    rules.ssts(manifest);
    rules.wal(manifest, snapshot);
    rules.labels(manifest);
    return rules.out;
  }

  private void ssts(Manifest manifest) {
    Set<UUID> ids = new HashSet<>();
    Set<String> paths = new HashSet<>();
    Set<String> forward = new HashSet<>();
    Set<String> inverse = new HashSet<>();
    for (SstDescriptor sst : manifest.ssts()) {
      require(ids.add(sst.id()), sst.path(), "its id " + sst.id() + " is listed twice");
      require(paths.add(sst.path()), sst.path(), "it is listed twice");
      if (sst.kind() == SstKind.OTHER) {
        continue;
      }
      SstDescriptor.Counts n = sst.counts();
      require(n.rows() > 0, sst.path(), "it is listed with no rows: the engine cannot compact it");
      require(
          n.tombstones() >= 0 && n.tombstones() <= n.rows(),
          sst.path(),
          "it is listed with " + n.tombstones() + " tombstones of " + n.rows() + " rows");
      require(!Lsn.newer(sst.lsns().min(), sst.lsns().max()), sst.path(), "its LSN range is empty");
      require(
          !Lsn.newer(sst.lsns().max(), ManifestCheck.LSN_LIMIT),
          sst.path(),
          "its LSNs are so high that no more can be added soon");
      if (sst.kind() != SstKind.NODES) {
        (sst.kind() == SstKind.EDGES_FWD ? forward : inverse).add(sst.scope());
      }
    }
    forward.stream()
        .filter(t -> !inverse.contains(t))
        .forEach(t -> require(false, t, "the edge type has no inverse file"));
    inverse.stream()
        .filter(t -> !forward.contains(t))
        .forEach(t -> require(false, t, "the edge type has no forward file"));
  }

  private void wal(Manifest manifest, Snapshot snapshot) {
    Set<Long> seqs = new HashSet<>();
    for (WalSegment segment : manifest.walSegments()) {
      require(
          seqs.add(segment.seq()),
          snapshot.location().paths().wal(segment.seq()),
          "the segment is listed twice");
    }
  }

  private void labels(Manifest manifest) {
    Set<String> names = new HashSet<>();
    for (String name : manifest.labels().names()) {
      require(names.add(name), name, "the label has two ids");
    }
  }

  private void require(boolean holds, String object, String problem) {
    if (!holds) {
      out.add(new Finding("manifest", object, problem, 1));
    }
  }
}
