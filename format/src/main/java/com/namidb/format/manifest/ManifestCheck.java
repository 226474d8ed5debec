package com.namidb.format.manifest;

import com.namidb.format.id.Lsn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Every invariant a body must satisfy before it may be written. What users can cause is refused
 * with better words before; a violation found here is a bug. Source: manifest §4.7, §8.
 */
public final class ManifestCheck {
  /** LSNs from here on are never written: our own bound, far from where the engine sticks. */
  public static final long LSN_LIMIT = 1L << 62;

  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*");
  private static final int DEGREE_BUCKETS = 64;

  private ManifestCheck() {}

  /**
   * Checks a next version against its base.
   *
   * @param added what {@code next} lists on top of {@code base}
   * @throws IllegalStateException naming the first violation
   */
  public static void check(Manifest base, Manifest next, List<NewSst> added) {
    require(next.version() == base.version() + 1, "version is not one above the base");
    require(next.layout() == base.layout(), "layout is not the base's");
    boolean single = next.layout() == Layout.SINGLE_OBJECT;
    require(next.epoch() == base.epoch() + (single ? 1 : 0), "epoch is not what follows the base");
    require(single ? isFloorKept(base, next) : next.floor().isEmpty(), "version floor went down");
    require(!next.writerId().equals(base.writerId()), "writer id is the base's");
    require(next.schema().equals(base.schema()), "schema differs from the base");
    List<String> labels = next.labels().names();
    require(
        labels.size() >= base.labels().size()
            && labels.subList(0, base.labels().size()).equals(base.labels().names()),
        "label names were not only appended");
    Set<UUID> ids = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (SstDescriptor sst : next.ssts()) {
      require(ids.add(sst.id()), "SST id " + sst.id() + " is listed twice");
      require(paths.add(sst.path()), "path " + sst.path() + " is listed twice");
    }
    for (SstDescriptor sst : base.ssts()) {
      require(
          sst.kind() == SstKind.OTHER || ids.contains(sst.id()),
          "graph data of SST " + sst.id() + " was dropped");
    }
    require(
        next.walSegments().equals(base.walSegments()) || next.walSegments().isEmpty(),
        "WAL segments were changed");
    for (NewSst sst : added) {
      require(ids.contains(sst.id()), "SST " + sst.id() + " is not listed");
      require(hasPlace(sst, base, next), "SST " + sst.id() + ": LSNs not above the base");
      checkSst(sst);
    }
    checkPairs(added);
  }

  /** It never goes down, and the version itself is always above it. */
  private static boolean isFloorKept(Manifest base, Manifest next) {
    if (next.floor().isEmpty()) {
      return base.floor().isEmpty();
    }
    long floor = next.floor().getAsLong();
    return Long.compareUnsigned(floor, next.version()) < 0
        && (base.floor().isEmpty() || Long.compareUnsigned(floor, base.floor().getAsLong()) >= 0);
  }

  /** New rows are above everything; folded ones keep LSNs that the emptied WAL had (R2, R3). */
  private static boolean hasPlace(NewSst sst, Manifest base, Manifest next) {
    long floor = base.lsnFloor();
    boolean folded = !base.walSegments().isEmpty() && next.walSegments().isEmpty();
    return Lsn.newer(sst.lsns().min(), floor) || (folded && !Lsn.newer(sst.lsns().max(), floor));
  }

  private static void checkSst(NewSst sst) {
    String name = "SST " + sst.id() + ": ";
    SstDescriptor.Counts n = sst.counts();
    require(PATH.matcher(sst.path()).matches(), name + "bad path " + sst.path());
    require(!sst.path().endsWith(".ep.csr"), name + "its path promises a sidecar");
    require(sst.sizeBytes() > 0, name + "no size");
    require(n.rows() > 0, name + "no rows");
    require(n.tombstones() >= 0 && n.tombstones() <= n.rows(), name + "bad tombstone count");
    require(n.keys() > 0 && n.keys() <= n.rows(), name + "bad key count");
    require(sst.lsns().min() > 0, name + "LSN 0 or above 2^63");
    require(!Lsn.newer(sst.lsns().min(), sst.lsns().max()), name + "LSN range is empty");
    require(sst.lsns().max() < LSN_LIMIT, name + "LSN at or above 2^62");
    boolean nodes = sst.kind() == SstKind.NODES;
    require(sst.scope().isEmpty() == nodes, name + "bad scope '" + sst.scope() + "'");
    require((sst.degrees() == null) == nodes, name + "histogram of the wrong kind");
    if (sst.degrees() != null) {
      NewSst.Degrees d = sst.degrees();
      long keys = d.counts().stream().mapToLong(Long::longValue).sum();
      require(d.counts().size() == DEGREE_BUCKETS, name + "histogram size");
      require(d.sum() == n.rows(), name + "histogram sum");
      require(keys == n.keys(), name + "histogram keys");
    }
  }

  /** Each direction must have a partner of the same rows (R6). */
  private static void checkPairs(List<NewSst> added) {
    Map<String, Integer> open = new HashMap<>();
    for (NewSst sst : added) {
      if (sst.kind() != SstKind.NODES) {
        String content =
            sst.scope()
                + '\0'
                + sst.counts().rows()
                + '/'
                + sst.counts().tombstones()
                + '/'
                + sst.lsns();
        open.merge(content, sst.kind() == SstKind.EDGES_FWD ? 1 : -1, Integer::sum);
      }
    }
    open.forEach((content, n) -> require(n == 0, "edges without partner file: " + content));
  }

  private static void require(boolean holds, String violation) {
    if (!holds) {
      throw new IllegalStateException("a manifest that must not be published: " + violation);
    }
  }
}
