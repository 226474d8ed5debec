package com.namidb.format.log;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.error.SnapshotGoneException;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.CurrentVersion.Found;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestEdit;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.ManifestPointer;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's layout: numbered bodies, and pointers that commit them. Source: manifest §3.
 *
 * <p>Requests, at any length of history: newest version, first time = GET hint, HEAD pointers N and
 * N+1, GET body; again and unchanged = HEAD N+1, HEAD N. A version by number = HEAD pointer, GET
 * body; only the GET if it is not above one already seen.
 */
public final class PointerLog implements ManifestLog {
  private static final Logger LOG = LoggerFactory.getLogger(PointerLog.class);
  private static final int ATTEMPTS = 3;

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final CurrentVersion newest;
  private final PointerBodies bodies;
  private final CommitTiming timing;
  private volatile HeldVersion held;

  /** Makes no request; the store stays owned by the caller. */
  public PointerLog(NamespacePaths paths, ObjectStore store) {
    this(paths, store, CommitTiming.SYSTEM);
  }

  /** As the first constructor; errors name the store as {@code config} does. */
  public PointerLog(NamespacePaths paths, ObjectStore store, StoreConfig config) {
    this(paths, store, CommitTiming.SYSTEM, config + "/" + paths.prefix());
  }

  /** As the first constructor, with clock and limits of publishing. */
  public PointerLog(NamespacePaths paths, ObjectStore store, CommitTiming timing) {
    this(paths, store, timing, paths.prefix());
  }

  /** With clock and limits of publishing; errors name the place. */
  PointerLog(NamespacePaths paths, ObjectStore store, CommitTiming timing, String place) {
    this.paths = paths;
    this.store = store;
    this.timing = timing;
    this.bodies = new PointerBodies(paths, store);
    this.newest = new CurrentVersion(paths, store, place, LOG::warn);
  }

  @Override
  public Layout layout() {
    return Layout.VERSIONED;
  }

  @Override
  public String key(long version) {
    return paths.body(version);
  }

  /** What the advisory copy was just now: spares the next resolve its first GET. */
  void offer(Optional<StoredObject> hint) {
    newest.offer(hint);
  }

  @Override
  public Committed current() {
    HeldVersion before = held;
    try {
      return resolve(before);
    } catch (NamespaceNotFoundException | CorruptObjectException e) {
      // What was held is not there any more: somebody deleted the namespace, or put another there.
      bodies.forget();
      contradicted(before);
      throw e;
    }
  }

  /** Resolves it; {@code before} is what was held before the first request. */
  private Committed resolve(HeldVersion before) {
    for (int i = 1; ; i++) {
      long asked = timing.nanos().getAsLong();
      Found found = newest.resolve();
      if (before != null && before.isAbove(found.version())) {
        // Numbers are used again: a store that dates by the second may show two pointers as one.
        bodies.forget();
      }
      Optional<Committed> committed = bodies.load(found);
      if (committed.isPresent()) {
        if (before != null && before.isBeyond(committed.get())) {
          contradicted(before);
        }
        hold(committed.get(), asked, found.hintEtag(), false);
        return committed.get();
      }
      // Collected between the two requests, if so many commits passed meanwhile; else damaged.
      newest.forget();
      if (i == ATTEMPTS || newest.resolve().version() == found.version()) {
        throw FileErrors.missing("Manifest", paths.body(found.version()))
            .at(Where.version(paths.namespace(), found.version()));
      }
    }
  }

  /**
   * Drops what was held before a resolve that found less than that, or nothing: versions never go
   * back, so the namespace was deleted or restored, and its files may be gone. What another thread
   * resolved or committed since then stays.
   */
  @SuppressWarnings("ReferenceEquality") // the very same one, not one resolved anew
  private synchronized void contradicted(HeldVersion before) {
    if (before != null && held == before) {
      forget();
    }
  }

  @Override
  public Committed at(long version) {
    // One request either way: a GET, or the HEAD that proves a version read before is the same.
    if (newest.isKnownCommitted(version) && !bodies.holds(version)) {
      return find(version).orElseThrow(() -> gone(version));
    }
    Optional<Committed> published = published(version);
    if (published.isPresent()) {
      return published.get();
    }
    Committed current = current();
    long top = current.ref().version();
    if (Long.compareUnsigned(version, top) > 0) {
      boolean unfinished = version == top + 1 && store.head(paths.body(version)).isPresent();
      throw SnapshotErrors.neverCommitted(paths.namespace(), version, top, unfinished);
    }
    // Its pointer is collected, or older than the pointer family.
    return version == top ? current : find(version).orElseThrow(() -> gone(version));
  }

  /** A version whose pointer is still there: one HEAD, and one GET unless it was read before. */
  Optional<Committed> published(long version) {
    return store
        .head(paths.pointer(version))
        .map(
            pointer ->
                bodies
                    .load(new Found(version, pointer, null, null))
                    .orElseThrow(() -> gone(version)));
  }

  @Override
  public Optional<Manifest> unfinished(long version) {
    return bodies.unfinished(version);
  }

  @Override
  public Optional<Committed> find(long version) {
    return bodies.find(version);
  }

  @Override
  public OptionalLong oldest() {
    return bodies.oldest(current().ref().version());
  }

  @Override
  public OptionalLong createdAtMicros(long version) {
    return bodies.createdAtMicros(version);
  }

  @Override
  public Optional<Committed> fresh() {
    HeldVersion now = held;
    return now != null && now.above() && isFresh(now)
        ? Optional.of(now.committed())
        : Optional.empty();
  }

  @Override
  public Committed base() {
    for (int i = 1; ; i++) {
      long asked = timing.nanos().getAsLong();
      Committed found = current();
      Optional<Floor> floor = Floor.read(paths, store);
      long version = found.ref().version();
      if (floor.isEmpty() || !floor.get().covers(version)) {
        hold(found, asked, null, true);
        return found;
      }
      // What is remembered is so old that it led to a pointer somebody stalled has left behind.
      forget();
      if (i == 2) {
        throw CommitErrors.behindFloor(
            Where.version(paths.namespace(), version), floor.get().version());
      }
    }
  }

  private void forget() {
    held = null;
    newest.forget();
  }

  private boolean isFresh(HeldVersion h) {
    return timing.nanos().getAsLong() - h.nanos() < timing.fresh().toNanos();
  }

  private synchronized void hold(Committed committed, long nanos, String hintEtag, boolean above) {
    HeldVersion was = held;
    // Several threads resolve and commit: never fall back behind what is known.
    if (was == null
        || Long.compareUnsigned(was.committed().ref().version(), committed.ref().version()) <= 0) {
      boolean same = was != null && was.is(committed);
      // The floor stays far below what was above it minutes ago, and what follows is above as well.
      boolean still = was != null && was.above() && isFresh(was);
      String etag = hintEtag == null && same ? was.hintEtag() : hintEtag;
      held = new HeldVersion(committed, nanos, etag, above || still);
    }
  }

  @Override
  public PublishResult publish(Committed base, Manifest next, CommitProbe probe) {
    probe.at(CommitState.CHECK_AGE);
    HeldVersion now = held;
    if (now == null || !now.is(base) || !isFresh(now)) {
      try {
        long newestVersion = base().ref().version();
        now = held;
        if (now == null || !now.is(base)) {
          held = null;
          return new PublishResult.Lost(newestVersion);
        }
      } catch (NamiException e) {
        // Nothing was written yet; what is wrong shows again where the next base is chosen.
        return new PublishResult.Lost(base.ref().version());
      }
    }
    long begun = timing.nanos().getAsLong();
    PointerPublish publish = new PointerPublish(paths, store, timing, next);
    Optional<PublishResult> failed = publish.take(probe);
    PublishResult result;
    if (failed.isPresent()) {
      result = failed.get();
    } else {
      HintPublish.Outcome hint =
          new HintPublish(paths, store, base, next).run(publish.pointer(), now.hintEtag(), probe);
      result = hint.result();
      if (result instanceof PublishResult.Committed committed) {
        newest.committed(next.version());
        hold(new Committed(committed.ref(), next), begun, hint.etag(), true);
      } else {
        // Our pointer is there, but others are past it: it must not be found from what we know.
        newest.forget();
      }
    }
    if (!(result instanceof PublishResult.Committed)) {
      held = null;
    }
    probe.at(CommitState.DONE);
    return result;
  }

  @Override
  public Committed createIfAbsent(UUID writer, Instant now) {
    try {
      return current();
    } catch (NamespaceNotFoundException e) {
      Manifest first = ManifestEdit.first(writer, now, paths.body(0));
      // Whatever is there already is the half-finished creation of another: finish it.
      settled(store.putIfAbsent(paths.body(0), ManifestJson.versioned().write(first)), e);
      byte[] pointer = new ManifestPointer(0, 0, paths.body(0)).toBytes();
      settled(store.putIfAbsent(paths.pointer(0), pointer), e);
      settled(store.putIfAbsent(paths.currentHint(), pointer), e);
      return current();
    }
  }

  @Override
  public StoredVersions stored() {
    return new PointerVersions(paths, store, this);
  }

  private void settled(PutResult result, NamespaceNotFoundException cause) {
    if (result instanceof PutResult.Unclear unclear) {
      throw StoreErrors.failed("create a namespace: " + unclear.cause(), paths.prefix(), cause);
    }
  }

  private SnapshotGoneException gone(long version) {
    Committed current = current();
    long top = current.ref().version();
    long oldest = bodies.oldest(top).orElse(top);
    return SnapshotErrors.collected(paths.namespace(), version, oldest, top);
  }
}
