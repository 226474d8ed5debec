package com.namidb.format.log;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.id.Hex;
import com.namidb.format.manifest.ManifestPointer;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Finds the newest pointer. A version known to be committed (held from the last time, or the one
 * the advisory copy names) is a lower bound; the pointers after it are asked for one by one. The
 * bound counts only if its own pointer is still there, because the low end of the family is
 * collected. LIST is the last resort. Source: manifest §3.1.
 *
 * <p>Requests: held and unchanged = HEAD N+1, HEAD N. First time = GET hint, HEAD N, HEAD N+1.
 */
final class CurrentVersion {
  private static final int MAX_PROBES = 8192;
  // After so many versions gone by it is cheaper to ask the hint again than to walk on.
  private static final int PROBES_BEFORE_HINT = 4;
  private static final String POINTER_END = ".json";

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final String place;
  private final Consumer<String> warn;
  private final AtomicReference<Optional<StoredObject>> offered = new AtomicReference<>();
  private volatile Found held;
  private volatile OptionalLong warnedOf = OptionalLong.empty();

  /**
   * The newest version.
   *
   * @param version its number
   * @param pointer its pointer object; {@code null} in a namespace that has only the advisory copy
   * @param hint what the advisory copy says if it names this version, else {@code null}
   * @param hintEtag tag of that copy, else {@code null}
   */
  record Found(long version, ObjectMeta pointer, ManifestPointer hint, String hintEtag) {}

  /**
   * Makes no request.
   *
   * @param place the namespace's folder, for errors
   * @param warn is told what a reader can go on with but a person should know
   */
  CurrentVersion(NamespacePaths paths, ObjectStore store, String place, Consumer<String> warn) {
    this.paths = paths;
    this.store = store;
    this.place = place;
    this.warn = warn;
  }

  /** Resolves it anew. */
  Found resolve() {
    Found bound = held;
    Found found = bound == null ? null : fromHeld(bound);
    if (found == null) {
      found = cold();
    }
    if (found.pointer != null) {
      held = found;
    }
    return found;
  }

  /** Whether this version is certainly committed, without a request. */
  boolean isKnownCommitted(long version) {
    Found bound = held;
    return bound != null && Long.compareUnsigned(version, bound.version) <= 0;
  }

  /** A version this process committed: the bound for the next resolve. */
  void committed(long version) {
    Found bound = held;
    if (bound == null || Long.compareUnsigned(bound.version, version) < 0) {
      ObjectMeta pointer = new ObjectMeta(paths.pointer(version), 0, "", 0);
      held = new Found(version, pointer, null, null);
    }
  }

  /** Forgets what is held: something contradicted it. */
  void forget() {
    held = null;
  }

  private Found fromHeld(Found bound) {
    Found found = probe(bound, PROBES_BEFORE_HINT);
    if (found == null) {
      Found hinted = fromHint(hint());
      return hinted != null && Long.compareUnsigned(hinted.version, bound.version) >= 0
          ? hinted
          : null;
    }
    if (found.version != bound.version) {
      return found;
    }
    // No successor: either this is the newest one, or both are collected by now.
    return store
        .head(paths.pointer(bound.version))
        .map(meta -> new Found(bound.version, meta, bound.hint, bound.hintEtag))
        .orElse(null);
  }

  private Found cold() {
    Optional<StoredObject> hint = hint();
    Found found = fromHint(hint);
    if (found == null) {
      found = fromList();
    }
    if (found == null) {
      found = fromFirst();
    }
    if (found == null) {
      return legacy(hint);
    }
    tellLost(hint, found.version);
    return found;
  }

  /**
   * The advisory copy is written after the pointer it names, and pointers are collected from the
   * low end: a copy above the newest pointer names a committed version that was lost. It proves
   * nothing by itself, so reading goes on. Source: manifest §3.1, §4.2.
   */
  private void tellLost(Optional<StoredObject> object, long newest) {
    OptionalLong named =
        object
            .flatMap(CurrentVersion::tryParse)
            .map(p -> OptionalLong.of(p.version()))
            .orElse(OptionalLong.empty());
    if (named.isEmpty()
        || Long.compareUnsigned(named.getAsLong(), newest) <= 0
        || named.equals(warnedOf)) {
      return;
    }
    warnedOf = named;
    String lost = Long.toUnsignedString(named.getAsLong());
    warn.accept(
        paths.currentHint()
            + " names version "
            + lost
            + ", but the newest pointer is that of version "
            + Long.toUnsignedString(newest)
            + ", which is read: if version "
            + lost
            + " was committed, its pointer "
            + paths.pointer(named.getAsLong())
            + " is lost");
  }

  private Found fromHint(Optional<StoredObject> object) {
    Optional<ManifestPointer> hint = object.flatMap(CurrentVersion::tryParse);
    if (hint.isEmpty()) {
      return null;
    }
    long version = hint.get().version();
    Optional<ObjectMeta> pointer = store.head(paths.pointer(version));
    if (pointer.isEmpty()) {
      return null;
    }
    return probe(
        new Found(version, pointer.get(), hint.get(), object.get().meta().etag()), MAX_PROBES);
  }

  private Found fromList() {
    OptionalLong max = OptionalLong.empty();
    Optional<String> page = Optional.empty();
    do {
      ListPage list = store.list(paths.pointers(), page);
      for (ObjectMeta meta : list.objects()) {
        OptionalLong version = version(meta.key());
        if (version.isPresent()
            && (max.isEmpty() || Long.compareUnsigned(version.getAsLong(), max.getAsLong()) > 0)) {
          max = version;
        }
      }
      page = list.next();
    } while (page.isPresent());
    return max.isEmpty() ? null : fromPointer(max.getAsLong());
  }

  // A listing may lag behind the very first pointer.
  private Found fromFirst() {
    return fromPointer(0);
  }

  private Found fromPointer(long version) {
    Optional<ObjectMeta> pointer = store.head(paths.pointer(version));
    if (pointer.isEmpty()) {
      return null;
    }
    Found found = probe(new Found(version, pointer.get(), null, null), MAX_PROBES);
    if (found == null) {
      throw SnapshotErrors.staleResolution(paths.namespace(), version);
    }
    return found;
  }

  // Namespaces older than the pointer family: the advisory copy is the only pointer.
  private Found legacy(Optional<StoredObject> hint) {
    if (hint.isEmpty()) {
      throw SnapshotErrors.namespaceNotFound(
          paths.namespace(),
          place,
          "neither "
              + paths.currentHint()
              + " nor any object under "
              + paths.pointers()
              + " was found");
    }
    ManifestPointer pointer = ManifestPointer.parse(paths.currentHint(), hint.get().bytes());
    return new Found(pointer.version(), null, pointer, null);
  }

  /** Walks up from a version; itself if nothing follows, {@code null} if there is no end. */
  private Found probe(Found from, int limit) {
    Found found = from;
    for (int i = 0; i < limit; i++) {
      long next = found.version + 1;
      Optional<ObjectMeta> pointer = store.head(paths.pointer(next));
      if (pointer.isEmpty()) {
        return found;
      }
      found = new Found(next, pointer.get(), null, null);
    }
    return null;
  }

  /** What the advisory copy was just now; asked for no more by the next resolve that needs it. */
  void offer(Optional<StoredObject> hint) {
    offered.set(hint);
  }

  private Optional<StoredObject> hint() {
    Optional<StoredObject> known = offered.getAndSet(null);
    return known != null ? known : store.get(paths.currentHint());
  }

  private static Optional<ManifestPointer> tryParse(StoredObject object) {
    try {
      return Optional.of(ManifestPointer.parse(object.meta().key(), object.bytes()));
    } catch (CorruptObjectException e) {
      // The advisory copy is only a hint: the pointers themselves decide.
      return Optional.empty();
    }
  }

  private OptionalLong version(String key) {
    String name = key.substring(paths.pointers().length());
    if (!name.startsWith("p") || !name.endsWith(POINTER_END)) {
      return OptionalLong.empty();
    }
    return Hex.parseH16(name.substring(1, name.length() - POINTER_END.length()));
  }
}
