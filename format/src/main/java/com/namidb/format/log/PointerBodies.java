package com.namidb.format.log;

import com.namidb.format.error.FileErrors;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.log.CurrentVersion.Found;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestHead;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.ManifestPointer;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The numbered bodies of the engine's layout.
 *
 * <p>A body is read from the place its number gives. Only if it is not there, the key in its
 * pointer is followed: that key names the place of writing, which after a copy of the namespace is
 * another namespace that may have moved on. Source: manifest §3.2.
 */
final class PointerBodies {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final ManifestCache cache = new ManifestCache();

  /** Makes no request. */
  PointerBodies(NamespacePaths paths, ObjectStore store) {
    this.paths = paths;
    this.store = store;
  }

  /** Whether the version was read lately, under whatever pointer. */
  boolean holds(long version) {
    return cache.holds(version);
  }

  /** Forgets what was read. */
  void forget() {
    cache.clear();
  }

  /** A version found by its pointer; a GET unless it was read under this very pointer. */
  Optional<Committed> load(Found found) {
    ObjectMeta pointer = found.pointer();
    long version = found.version();
    if (pointer != null) {
      Optional<Committed> known = cache.get(version, pointer);
      if (known.isPresent()) {
        return known;
      }
    }
    Optional<Committed> read = find(version);
    if (read.isEmpty()) {
      read = elsewhere(found);
    }
    if (pointer != null) {
      read.ifPresent(c -> cache.put(pointer, c));
    }
    return read;
  }

  /** The body of a version at its own place, whether or not a pointer commits it. */
  Optional<Committed> find(long version) {
    return body(paths.body(version), version);
  }

  /** A body without pointer, as its writer left it. */
  Optional<Manifest> unfinished(long version) {
    String key = paths.body(version);
    return store.get(key).map(body -> ManifestJson.versioned().read(key, body.bytes()));
  }

  /** When a version was made, of which only the start is read if possible. */
  OptionalLong createdAtMicros(long version) {
    String key = paths.body(version);
    Optional<byte[]> start = store.getRange(key, new ByteRange(0, ManifestHead.BYTES));
    if (start.isPresent()) {
      OptionalLong micros = ManifestHead.createdAtMicros(key, start.get(), version);
      if (micros.isPresent()) {
        return micros;
      }
    }
    // A body of another writer may be shorter, or have its members in another order.
    return find(version)
        .map(c -> OptionalLong.of(c.ref().createdAtMicros()))
        .orElse(OptionalLong.empty());
  }

  /** The oldest body there is, down from {@code top}. */
  OptionalLong oldest(long top) {
    return new OldestBody(v -> store.head(paths.body(v)).isPresent(), 0).find(top);
  }

  private Optional<Committed> elsewhere(Found found) {
    ManifestPointer pointer = found.hint();
    if (pointer == null) {
      String key = paths.pointer(found.version());
      Optional<StoredObject> object = store.get(key);
      if (object.isEmpty()) {
        return Optional.empty();
      }
      try {
        pointer = ManifestPointer.parse(key, object.get().bytes());
      } catch (NamiException e) {
        throw e.at(Where.version(paths.namespace(), found.version()));
      }
      if (pointer.version() != found.version()) {
        throw wrongVersion("Manifest pointer", key, pointer.version(), found.version());
      }
    }
    String path = pointer.manifestPath();
    return path.isEmpty() || path.equals(paths.body(found.version()))
        ? Optional.empty()
        : body(path, found.version());
  }

  private Optional<Committed> body(String key, long version) {
    Manifest manifest;
    try {
      Optional<StoredObject> object = store.get(key);
      if (object.isEmpty()) {
        return Optional.empty();
      }
      manifest = ManifestJson.versioned().read(key, object.get().bytes());
    } catch (NamiException e) {
      throw e.at(Where.version(paths.namespace(), version));
    }
    if (manifest.version() != version) {
      throw wrongVersion("Manifest", key, manifest.version(), version);
    }
    ManifestRef ref =
        new ManifestRef(version, manifest.epoch(), manifest.writerId(), manifest.createdAtMicros());
    return Optional.of(new Committed(ref, manifest));
  }

  private NamiException wrongVersion(String kind, String key, long is, long expected) {
    return FileErrors.damaged(
            kind,
            key,
            "it is of version "
                + Long.toUnsignedString(is)
                + " instead of "
                + Long.toUnsignedString(expected))
        .at(Where.version(paths.namespace(), expected));
  }
}
