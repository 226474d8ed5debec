package com.namidb.format.snapshot;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.log.CommitTimes;
import com.namidb.format.log.CommitTiming;
import com.namidb.format.log.Committed;
import com.namidb.format.log.LayoutLog;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.PinBody;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The front door: a store, the right log, snapshots. Thread-safe. Keep one per namespace: it
 * remembers the newest version and the last manifests, so that asking again is cheap.
 */
public final class Namespace {
  private final Location location;
  private final ObjectStore store;
  private final LayoutLog log;

  private Namespace(Location location, ObjectStore store, LayoutLog log) {
    this.location = location;
    this.store = store;
    this.log = log;
  }

  /**
   * Opens a namespace; no request is made yet.
   *
   * @param store the store of {@code location}; stays owned by the caller
   */
  public static Namespace open(Location location, ObjectStore store) {
    return open(location, store, CommitTiming.SYSTEM);
  }

  /** As {@link #open(Location, ObjectStore)}, with clock and limits of publishing. */
  public static Namespace open(Location location, ObjectStore store, CommitTiming timing) {
    return new Namespace(
        location,
        store,
        new LayoutLog(location.paths(), store, location.store(), location.layout(), timing));
  }

  /**
   * The same namespace, sharing all that is remembered of it.
   *
   * @param asked layout it must have and is created in, {@code null} to recognise it
   */
  public Namespace as(Layout asked) {
    Location there = new Location(location.store(), location.paths(), asked);
    return new Namespace(there, store, log.as(asked));
  }

  /**
   * Opens the version asked for.
   *
   * @throws com.namidb.format.error.NamespaceNotFoundException if there is no namespace
   * @throws com.namidb.format.error.SnapshotGoneException if the version is collected or was never
   *     committed, or the time is before the oldest readable version
   */
  public Snapshot snapshot(SnapshotSelector selector) {
    Committed committed;
    if (selector instanceof SnapshotSelector.AtVersion at) {
      committed = log.at(at.version());
    } else if (selector instanceof SnapshotSelector.AtTime at) {
      committed = at(at.micros());
    } else {
      committed = log.current();
    }
    return new Snapshot(location, committed.ref(), committed.manifest());
  }

  /** Where the namespace is. */
  public Location location() {
    return location;
  }

  /** The history of versions. */
  public ManifestLog log() {
    return log;
  }

  /** The versions as the {@code snapshots} table shows them. */
  public VersionHistory history() {
    return new VersionHistory(location.paths(), store, log);
  }

  /**
   * All leases in the store, expired ones included: one LIST, one GET each. What does not parse is
   * left out, as the engine does.
   */
  public List<Pin> pins() {
    NamespacePaths paths = location.paths();
    List<Pin> out = new ArrayList<>();
    for (ObjectMeta meta : store.listAll(paths.pins())) {
      store.get(meta.key()).flatMap(object -> pin(object, paths)).ifPresent(out::add);
    }
    return out;
  }

  ObjectStore store() {
    return store;
  }

  private static Optional<Pin> pin(StoredObject object, NamespacePaths paths) {
    String key = object.meta().key();
    String name = key.substring(paths.pins().length());
    String id = name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
    try {
      PinBody body = PinBody.parse(key, object.bytes());
      String owner = body.owner() == null ? "" : body.owner();
      return Optional.of(new Pin(id, body.version(), body.expiresAtUnix(), owner));
    } catch (CorruptObjectException e) {
      return Optional.empty();
    }
  }

  private Committed at(long micros) {
    Committed current = log.current();
    long newest = current.ref().version();
    long oldest = log.oldest().orElse(newest);
    CommitTimes times = new CommitTimes(log);
    times.know(current.ref());
    OptionalLong version = times.newestAt(micros, oldest, newest);
    if (version.isEmpty()) {
      throw SnapshotErrors.beforeOldest(
          location.paths().namespace(),
          iso(micros),
          oldest,
          iso(times.committedAtMicros(oldest).orElse(micros)));
    }
    return version.getAsLong() == newest ? current : log.at(version.getAsLong());
  }

  private static String iso(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
