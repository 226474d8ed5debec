package com.namidb.format.log;

import com.namidb.format.error.FileErrors;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestHead;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.util.Optional;
import java.util.OptionalLong;

/** Versions of the layout of one replaced object that are current no more. */
final class Archives {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final ManifestJson json;
  private final ManifestCache cache = new ManifestCache();

  /** Makes no request. */
  Archives(NamespacePaths paths, ObjectStore store, ManifestJson json) {
    this.paths = paths;
    this.store = store;
    this.json = json;
  }

  /** A version, empty if there is no archive of it: a GET, or a HEAD if it was read lately. */
  Optional<Committed> find(long version) {
    String key = paths.archive(version);
    if (cache.holds(version)) {
      Optional<Committed> known = store.head(key).flatMap(meta -> cache.get(version, meta));
      if (known.isPresent()) {
        return known;
      }
    }
    Optional<StoredObject> object = store.get(key);
    if (object.isEmpty()) {
      return Optional.empty();
    }
    Committed found = read(object.get());
    if (found.ref().version() != version) {
      throw FileErrors.damaged(
              "Archived manifest",
              key,
              "it is of version " + Long.toUnsignedString(found.ref().version()))
          .at(Where.version(paths.namespace(), version));
    }
    cache.put(object.get().meta(), found);
    return Optional.of(found);
  }

  /** When a version was made, if the start of its archive tells: one ranged GET. */
  OptionalLong createdAtMicros(long version) {
    String key = paths.archive(version);
    Optional<byte[]> start =
        store.getRange(key, new ByteRange(0, ManifestHead.SINGLE_OBJECT_BYTES));
    return start.isPresent()
        ? ManifestHead.createdAtMicros(key, start.get(), version)
        : OptionalLong.empty();
  }

  /** The oldest archive between two versions: one HEAD, unless some were lost. */
  OptionalLong oldest(long first, long last) {
    return new OldestBody(v -> store.head(paths.archive(v)).isPresent(), first).find(last);
  }

  /** What an object says, be it an archive or the current manifest. */
  Committed read(StoredObject object) {
    Manifest manifest = json.read(object.meta().key(), object.bytes());
    ManifestRef ref =
        new ManifestRef(
            manifest.version(), manifest.epoch(), manifest.writerId(), manifest.createdAtMicros());
    return new Committed(ref, manifest);
  }
}
