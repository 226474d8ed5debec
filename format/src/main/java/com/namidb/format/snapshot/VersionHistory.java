package com.namidb.format.snapshot;

import com.namidb.format.log.CommitTimes;
import com.namidb.format.log.Committed;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The versions of a namespace, newest first: what the {@code snapshots} table shows. One GET per
 * version, and at most one listing of the engine's SST and WAL folders. Contract §8.
 */
public final class VersionHistory {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final ManifestLog log;

  VersionHistory(NamespacePaths paths, ObjectStore store, ManifestLog log) {
    this.paths = paths;
    this.store = store;
    this.log = log;
  }

  /**
   * Reads the newest versions.
   *
   * @param limit how many at most, at least 1
   */
  public List<VersionSummary> newest(int limit) {
    Committed current = log.current();
    CommitTimes times = new CommitTimes(log);
    StoredKeys stored = new StoredKeys(paths, store);
    // What the current version lists is there, or every reader fails anyway.
    Set<String> live = ListedObjects.keys(paths, current.manifest());
    List<VersionSummary> out = new ArrayList<>();
    Optional<Committed> next = Optional.of(current);
    while (next.isPresent() && out.size() < limit) {
      Committed c = next.get();
      long version = c.ref().version();
      times.know(c.ref());
      Optional<Committed> before = version == 0 ? Optional.empty() : log.find(version - 1);
      boolean isCurrent = out.isEmpty();
      out.add(
          new VersionSummary(
              c.ref(),
              c.ref().createdAtMicros(),
              version == 0
                  ? Optional.of(Operation.CREATE)
                  : before.map(b -> Operation.between(b, c)),
              before.flatMap(b -> Operation.job(b, c)),
              VersionSummary.Counts.of(c.manifest()),
              isCurrent,
              isReadable(c, live, stored)));
      next = before;
    }
    next.ifPresent(c -> times.know(c.ref()));
    List<VersionSummary> timed = new ArrayList<>();
    for (VersionSummary s : out) {
      long at = times.committedAtMicros(s.ref().version()).orElse(s.committedAtMicros());
      timed.add(
          new VersionSummary(
              s.ref(), at, s.operation(), s.job(), s.counts(), s.isCurrent(), s.isReadable()));
    }
    return timed;
  }

  private boolean isReadable(Committed c, Set<String> live, StoredKeys stored) {
    Set<String> keys = new HashSet<>(ListedObjects.keys(paths, c.manifest()));
    keys.removeAll(live);
    return keys.stream().allMatch(stored::contains);
  }
}
