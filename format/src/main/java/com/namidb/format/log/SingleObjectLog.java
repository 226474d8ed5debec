package com.namidb.format.log;

import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.error.SnapshotGoneException;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.log.KnownTags.Tag;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestEdit;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SchemaObject;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The layout of one replaced object: {@code manifest.json} is the current version, the ones before
 * it are archived by number. Source: single-object manifest.
 *
 * <p>Requests, at any length of history: newest version, first time = GET manifest; again and
 * unchanged = HEAD manifest; changed = HEAD and GET. A version by number = GET archive, again =
 * HEAD archive. A schema not read before = one GET more, unless it declares nothing.
 */
public final class SingleObjectLog implements ManifestLog {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final CommitTiming timing;
  private final String place;
  private final StoredSchemas schemas;
  private final ManifestJson json;
  private final Archives archives;
  // Several threads commit at once: each finds the tag of its own base.
  private final KnownTags tags = new KnownTags();
  private volatile Tag held;
  private volatile OptionalLong floor = OptionalLong.empty();

  /** Makes no request; the store stays owned by the caller. */
  public SingleObjectLog(NamespacePaths paths, ObjectStore store) {
    this(paths, store, CommitTiming.SYSTEM, paths.prefix());
  }

  /**
   * As the first constructor.
   *
   * @param timing clock and limits of publishing
   * @param place the namespace's folder, for errors
   */
  public SingleObjectLog(
      NamespacePaths paths, ObjectStore store, CommitTiming timing, String place) {
    this.paths = paths;
    this.store = store;
    this.timing = timing;
    this.place = place;
    schemas = new StoredSchemas(paths, store);
    json = ManifestJson.singleObject(schemas);
    archives = new Archives(paths, store, json);
  }

  @Override
  public Layout layout() {
    return Layout.SINGLE_OBJECT;
  }

  @Override
  public String key(long version) {
    return paths.manifest();
  }

  @Override
  public Committed current() {
    long asked = timing.nanos().getAsLong();
    Tag was = held;
    if (was != null) {
      // Equal tags are equal bytes, and a HEAD costs the same for a manifest of any size.
      Optional<ObjectMeta> meta = store.head(paths.manifest());
      if (meta.isPresent() && meta.get().etag().equals(was.etag())) {
        hold(was.committed(), was.etag(), asked);
        return was.committed();
      }
    }
    return read(was, asked)
        .orElseThrow(
            () ->
                SnapshotErrors.namespaceNotFound(
                    paths.namespace(), place, "no " + paths.manifest() + " was found"));
  }

  /** The newest version from a GET of the manifest, empty if there is none. */
  Optional<Committed> read() {
    long asked = timing.nanos().getAsLong();
    return read(held, asked);
  }

  /**
   * Reads it.
   *
   * @param before what was held before the first request
   * @param asked {@link CommitTiming#nanos} before it
   */
  private Optional<Committed> read(Tag before, long asked) {
    Optional<StoredObject> object = store.get(paths.manifest());
    if (object.isEmpty()) {
      // What may come under its name has another history.
      forget();
      return Optional.empty();
    }
    Committed found = archives.read(object.get());
    if (before != null && isBeyond(before.committed().ref(), found.ref())) {
      contradicted(before);
    }
    hold(found, object.get().meta().etag(), asked);
    return Optional.of(found);
  }

  /** Whether this cannot be a version of the history whose newest one was found later. */
  private static boolean isBeyond(ManifestRef before, ManifestRef later) {
    int order = Long.compareUnsigned(before.version(), later.version());
    return order > 0 || (order == 0 && !before.equals(later));
  }

  /**
   * Drops what was held before the manifest was read: versions never go back, so the namespace was
   * deleted or restored. What another thread read or committed since then stays.
   */
  @SuppressWarnings("ReferenceEquality") // the very same one, not one read anew
  private synchronized void contradicted(Tag before) {
    if (held == before) {
      forget();
    }
  }

  private synchronized void forget() {
    held = null;
    floor = OptionalLong.empty();
  }

  @Override
  public Committed at(long version) {
    Tag was = held;
    if (isCollected(version)) {
      throw gone(version);
    }
    if (was == null || was.committed().ref().version() != version) {
      Optional<Committed> archived = archives.find(version);
      if (archived.isPresent()) {
        return archived.get();
      }
    }
    Committed current = current();
    long top = current.ref().version();
    if (version == top) {
      return current;
    }
    if (Long.compareUnsigned(version, top) > 0) {
      throw SnapshotErrors.neverCommitted(paths.namespace(), version, top, false);
    }
    // Archived meanwhile, or collected.
    return find(version).orElseThrow(() -> gone(version));
  }

  @Override
  public Optional<Committed> find(long version) {
    if (isCollected(version)) {
      return Optional.empty();
    }
    Optional<Committed> archived = archives.find(version);
    return archived.isPresent()
        ? archived
        : Optional.of(current()).filter(c -> c.ref().version() == version);
  }

  @Override
  public OptionalLong oldest() {
    return OptionalLong.of(oldest(current()));
  }

  /** Nothing above the floor is ever collected: one HEAD, unless archives were lost. */
  private long oldest(Committed current) {
    long top = current.ref().version();
    OptionalLong collected = current.manifest().floor();
    long first = collected.isPresent() ? collected.getAsLong() + 1 : 0;
    return first == top ? top : archives.oldest(first, top - 1).orElse(top);
  }

  @Override
  public OptionalLong createdAtMicros(long version) {
    Tag was = held;
    if (was != null && was.committed().ref().version() == version) {
      return OptionalLong.of(was.committed().ref().createdAtMicros());
    }
    if (isCollected(version)) {
      return OptionalLong.empty();
    }
    OptionalLong micros = archives.createdAtMicros(version);
    if (micros.isPresent()) {
      return micros;
    }
    return find(version)
        .map(c -> OptionalLong.of(c.ref().createdAtMicros()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public Optional<Committed> fresh() {
    Tag now = held;
    return now != null && isFresh(now) ? Optional.of(now.committed()) : Optional.empty();
  }

  @Override
  public Committed base() {
    // A manifest is always above the floor it names.
    return current();
  }

  @Override
  public Optional<Manifest> unfinished(long version) {
    return Optional.empty();
  }

  @Override
  public PublishResult publish(Committed base, Manifest next, CommitProbe probe) {
    probe.at(CommitState.CHECK_AGE);
    Optional<Tag> known = tags.get(base.ref()).filter(this::isFresh);
    if (known.isEmpty()) {
      try {
        Committed newest = current();
        known = tags.get(base.ref()).filter(tag -> newest.ref().equals(base.ref()));
        if (known.isEmpty()) {
          return new PublishResult.Lost(newest.ref().version());
        }
      } catch (NamiException e) {
        // Nothing was written yet; what is wrong shows again where the next base is chosen.
        return new PublishResult.Lost(base.ref().version());
      }
    }
    long begun = timing.nanos().getAsLong();
    SingleObjectPublish publish =
        new SingleObjectPublish(
            new SingleObjectPublish.Access(paths, store, timing, json), known.get(), next);
    PublishResult result = publish.run(probe);
    if (result instanceof PublishResult.Committed committed && publish.etag() != null) {
      hold(new Committed(committed.ref(), next), publish.etag(), begun);
    } else {
      forget(base);
    }
    probe.at(CommitState.DONE);
    return result;
  }

  @Override
  public Committed createIfAbsent(UUID writer, Instant now) {
    try {
      return current();
    } catch (NamespaceNotFoundException e) {
      Manifest first = ManifestEdit.firstSingleObject(writer, now, paths.manifest(), schemas);
      String schema = paths.schema(SchemaObject.EMPTY_ID);
      settled(store.putIfAbsent(schema, SchemaObject.empty()), schema, e);
      settled(store.putIfAbsent(paths.manifest(), first.toBytes()), paths.manifest(), e);
      return current();
    }
  }

  /** A version that is current no more, empty if there is no archive of it. */
  Optional<Committed> archived(long version) {
    return archives.find(version);
  }

  @Override
  public StoredVersions stored() {
    return new ArchivedVersions(paths, store, this);
  }

  private static void settled(PutResult result, String key, NamespaceNotFoundException cause) {
    if (result instanceof PutResult.Unclear unclear) {
      throw StoreErrors.failed("create a namespace: " + unclear.cause(), key, cause);
    }
  }

  private synchronized void forget(Committed base) {
    Tag now = held;
    if (now != null && now.committed().ref().equals(base.ref())) {
      held = null;
    }
  }

  private boolean isCollected(long version) {
    OptionalLong known = floor;
    return known.isPresent() && Long.compareUnsigned(version, known.getAsLong()) <= 0;
  }

  private SnapshotGoneException gone(long version) {
    Committed current = current();
    return SnapshotErrors.collected(
        paths.namespace(), version, oldest(current), current.ref().version());
  }

  private boolean isFresh(Tag h) {
    return timing.nanos().getAsLong() - h.nanos() < timing.fresh().toNanos();
  }

  private synchronized void hold(Committed committed, String etag, long nanos) {
    Tag was = held;
    Tag tag = new Tag(committed, etag, nanos);
    tags.put(tag);
    long version = committed.ref().version();
    // Several threads resolve and commit: never fall back behind what is known and still fresh.
    if (was == null
        || !isFresh(was)
        || Long.compareUnsigned(was.committed().ref().version(), version) <= 0) {
      held = tag;
      floor = committed.manifest().floor();
    }
  }
}
