package com.namidb.format.retention;

import com.namidb.format.error.RetentionErrors;
import com.namidb.format.log.Committed;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.log.StoredVersions;
import com.namidb.format.log.StoredVersions.VersionObjects;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The versions there are when a sweep begins: a run without a gap up to the current one, and what
 * lies below it: left over from sweeps that were cut off, or forks of writers that were stalled.
 */
final class History {
  private final NamespacePaths paths;
  private final ManifestLog log;
  private final Committed current;
  private final Map<Long, VersionObjects> byVersion = new HashMap<>();
  private final Map<Long, OptionalLong> floors = new HashMap<>();
  private final List<VersionObjects> all;
  private final long oldest;

  private History(NamespacePaths paths, ObjectStore store, ManifestLog log) {
    this.paths = paths;
    this.log = log;
    current = log.base();
    long top = current.ref().version();
    all = log.stored().list(top);
    all.forEach(v -> byVersion.put(v.version(), v));
    long from = top;
    while (from != 0 && isReadable(from - 1)) {
      from--;
    }
    oldest = from;
    // A listing that is behind would make good versions look like leftovers.
    if (oldest != 0 && all.stream().anyMatch(v -> Long.compareUnsigned(v.version(), oldest) < 0)) {
      String missing = log.stored().body(oldest - 1);
      if (store.head(missing).isPresent()) {
        throw RetentionErrors.listingLags(paths.namespace(), missing);
      }
    }
  }

  /** Resolves the current version above the floor and lists what is stored. */
  static History of(NamespacePaths paths, ObjectStore store, ManifestLog log) {
    return new History(paths, store, log);
  }

  long current() {
    return current.ref().version();
  }

  Committed newest() {
    return current;
  }

  /** First version of the run. */
  long oldest() {
    return oldest;
  }

  /** Everything stored of versions below one, ascending. */
  List<VersionObjects> below(long version) {
    return all.stream().filter(v -> Long.compareUnsigned(v.version(), version) < 0).toList();
  }

  /**
   * The oldest of so many newest versions. Commits that only raised a floor are not counted: or
   * sweeping an idle graph again and again would in the end leave nothing but them.
   */
  long oldestOf(int count) {
    long v = current();
    long left = isFloorCommit(v) ? count : count - 1L;
    while (left > 0 && v != 0) {
      if (!hasFloor(v)) {
        return Long.compareUnsigned(v, left) < 0 ? 0 : v - left;
      }
      if (v == oldest) {
        return v;
      }
      v--;
      if (!isFloorCommit(v)) {
        left--;
      }
    }
    return v;
  }

  private boolean hasFloor(long version) {
    return floorOf(version).isPresent();
  }

  private boolean isFloorCommit(long version) {
    return version != oldest && hasFloor(version) && !floorOf(version - 1).equals(floorOf(version));
  }

  private OptionalLong floorOf(long version) {
    return floors.computeIfAbsent(
        version, v -> manifest(v).map(Manifest::floor).orElse(OptionalLong.empty()));
  }

  /** When the objects of a version of the run were written; of the current one if not listed. */
  long modifiedMillis(long version) {
    VersionObjects objects = byVersion.get(version);
    return objects == null ? Long.MAX_VALUE : objects.modifiedMillis();
  }

  /** The manifest of a version of the run, empty if it is gone by now. */
  Optional<Manifest> manifest(long version) {
    return version == current() ? Optional.of(current.manifest()) : find(version);
  }

  /** The manifest of any version that is stored, empty if it is gone by now. */
  Optional<Manifest> find(long version) {
    return log.stored().find(version);
  }

  /**
   * What versions from one on, and what may become the next one, need.
   *
   * @throws com.namidb.format.error.NamiException if any of them cannot be read: nothing may be
   *     deleted then
   */
  LiveSet live(long from) {
    LiveSet live = new LiveSet(paths);
    for (long v = from; v != current() + 1; v++) {
      long version = v;
      live.add(manifest(v).orElseThrow(() -> RetentionErrors.changed(paths.namespace(), version)));
    }
    log.stored().ahead(current()).ifPresent(live::add);
    return live;
  }

  /**
   * Adds what was committed since, right before deleting.
   *
   * @throws com.namidb.format.error.StoreException if that cannot be told
   */
  void catchUp(LiveSet live) {
    long now = log.current().ref().version();
    if (Long.compareUnsigned(now, current()) < 0) {
      throw RetentionErrors.changed(paths.namespace(), current());
    }
    for (long v = current(); v != now; ) {
      long version = ++v;
      live.add(
          find(version).orElseThrow(() -> RetentionErrors.changed(paths.namespace(), version)));
    }
    log.stored().ahead(now).ifPresent(live::add);
  }

  /** Manifest objects that are older than some time. */
  static List<ObjectMeta> aged(VersionObjects version, long cutoff) {
    List<ObjectMeta> out = new ArrayList<>();
    for (ObjectMeta meta : version.objects()) {
      if (meta.modifiedMillis() <= cutoff) {
        out.add(meta);
      }
    }
    return out;
  }

  private boolean isReadable(long version) {
    VersionObjects objects = byVersion.get(version);
    return objects != null && objects.readable();
  }

  /** The protocol's view of the versions. */
  StoredVersions stored() {
    return log.stored();
  }
}
