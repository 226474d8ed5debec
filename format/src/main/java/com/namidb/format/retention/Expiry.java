package com.namidb.format.retention;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.RetentionErrors;
import com.namidb.format.error.UnsupportedFormatException;
import com.namidb.format.log.Floor;
import com.namidb.format.log.StoredVersions.VersionObjects;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.retention.Doomed.Kind;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Pin;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which objects belong to versions below the horizon only. A file is looked for by name, in the
 * manifests that go, so nothing that was never published can be met. Oldest version first, its
 * files before its body: wherever the deletion is cut off, later versions are whole and the rest is
 * found again. Source: manifest §6.2, protocol §7.
 *
 * <p>Requests: one listing each of manifests, SSTs, WAL and jobs, one GET per version, one per job
 * with a state.
 */
final class Expiry {
  private static final Duration LEASE_GONE = Duration.ofHours(1);

  private final Namespace namespace;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final List<JobFolder> jobs;
  private final History history;
  private final long now;
  private final List<String> notes = new ArrayList<>();

  Expiry(Namespace namespace, ObjectStore store, List<JobFolder> jobs, long now) {
    this.namespace = namespace;
    this.paths = namespace.location().paths();
    this.store = store;
    this.jobs = jobs;
    this.now = now;
    history = History.of(paths, store, namespace.log());
  }

  History history() {
    return history;
  }

  /** Chooses the horizon and collects what is below it. */
  SweepPlan plan(int retainLast, SweepAge age) {
    if (retainLast < 1) {
      throw RetentionErrors.retainLast(retainLast);
    }
    List<Pin> pins = namespace.pins();
    Horizon horizon = new Horizon(history);
    horizon.retainLast(retainLast, history);
    Optional<Floor> floor = history.stored().floor();
    horizon.currentSince(age.hardMillis(now), history, floor);
    if (age.olderThanMillis().isPresent()) {
      long cutoff = age.cutoffMillis(now, Duration.ZERO);
      horizon.readableSince(Math.multiplyExact(cutoff, 1000L), history, namespace.log());
    }
    horizon.pinned(pins, now);
    jobs.forEach(job -> horizon.neededBy(job, history, floor));
    notes.addAll(horizon.reasons());
    List<Doomed> doomed = new ArrayList<>(below(horizon.version(), age.hardMillis(now)));
    doomed.addAll(leases(pins));
    return new SweepPlan(doomed, OptionalLong.of(horizon.version()), notes);
  }

  private List<Doomed> below(long horizon, long cutoff) {
    List<VersionObjects> expired = history.below(horizon);
    if (expired.isEmpty()) {
      return List.of();
    }
    Map<Long, Set<String>> files = files(horizon, cutoff);
    Listing listing = new Listing(store, paths.ssts(), paths.wals());
    Map<String, ObjectMeta> staged = new HashMap<>();
    Set<String> untouchable = new HashSet<>();
    for (JobFolder job : jobs) {
      for (ObjectMeta meta : job.objects()) {
        staged.put(meta.key(), meta);
        if (job.isUnfinished()) {
          untouchable.add(meta.key());
        }
      }
    }
    List<Doomed> out = new ArrayList<>();
    int young = 0;
    for (VersionObjects version : expired) {
      for (String key : files.getOrDefault(version.version(), Set.of())) {
        Optional<ObjectMeta> there =
            listing.find(key).or(() -> Optional.ofNullable(staged.get(key)));
        if (there.isEmpty() || untouchable.contains(key)) {
          continue;
        }
        if (there.get().modifiedMillis() > cutoff) {
          young++;
          continue;
        }
        Kind kind = key.startsWith(paths.wals()) ? Kind.WAL : Kind.FILE;
        out.add(new Doomed(kind, there.get(), version.version(), "no version that stays names it"));
      }
      List<ObjectMeta> aged = History.aged(version, cutoff);
      young += version.objects().size() - aged.size();
      for (ObjectMeta meta : aged) {
        out.add(new Doomed(Kind.MANIFEST, meta, version.version(), "below the horizon"));
      }
    }
    if (young > 0) {
      notes.add(young + " objects below the horizon are younger than the minimum age and stay");
    }
    return out;
  }

  /** Keys by the newest version that names them, of versions below the horizon alone. */
  private Map<Long, Set<String>> files(long horizon, long cutoff) {
    Map<String, Long> last = new TreeMap<>();
    // Only the run: what a fork below it names may have been published since.
    for (long v = history.oldest(); Long.compareUnsigned(v, horizon) < 0; v++) {
      long version = v;
      if (history.modifiedMillis(v) <= cutoff) {
        manifest(v).ifPresent(m -> LiveSet.named(paths, m).forEach(key -> last.put(key, version)));
      }
    }
    long from = Long.compareUnsigned(horizon, history.oldest()) < 0 ? history.oldest() : horizon;
    LiveSet live = history.live(from);
    Map<Long, Set<String>> out = new HashMap<>();
    last.forEach(
        (key, version) -> {
          if (!live.contains(key)) {
            out.computeIfAbsent(version, k -> new TreeSet<>()).add(key);
          }
        });
    return out;
  }

  private Optional<Manifest> manifest(long version) {
    try {
      return history.manifest(version);
    } catch (CorruptObjectException | UnsupportedFormatException e) {
      notes.add(
          "version "
              + Long.toUnsignedString(version)
              + " cannot be read; its files are left to remove_orphan_files: "
              + e.getMessage());
      return Optional.empty();
    }
  }

  private List<Doomed> leases(List<Pin> pins) {
    List<Doomed> out = new ArrayList<>();
    for (Pin pin : pins) {
      long ended = now - Math.multiplyExact(Math.min(pin.expiresAtUnix(), now / 1000), 1000L);
      if (ended > LEASE_GONE.toMillis()) {
        store
            .head(paths.pin(pin.id()))
            .ifPresent(
                meta ->
                    out.add(
                        new Doomed(Kind.LEASE, meta, Doomed.NO_VERSION, "ended over an hour ago")));
      }
    }
    return out;
  }
}
