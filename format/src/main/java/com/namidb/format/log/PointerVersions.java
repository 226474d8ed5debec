package com.namidb.format.log;

import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Bodies and pointers of the engine's layout, and {@code bulk/floor.json}. Manifest §1.1, §6.2. */
final class PointerVersions implements StoredVersions {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final ManifestLog log;

  /** Makes no request. */
  PointerVersions(NamespacePaths paths, ObjectStore store, ManifestLog log) {
    this.paths = paths;
    this.store = store;
    this.log = log;
  }

  private static final class Pieces {
    private ObjectMeta body;
    private ObjectMeta pointer;

    VersionObjects of(long version) {
      List<ObjectMeta> objects = new ArrayList<>();
      // The body first: a pointer without it is found again, and nobody reads past it.
      if (body != null) {
        objects.add(body);
      }
      if (pointer != null) {
        objects.add(pointer);
      }
      return new VersionObjects(version, body != null, objects);
    }
  }

  @Override
  public List<VersionObjects> list(long current) {
    Map<Long, Pieces> found = new TreeMap<>(Long::compareUnsigned);
    for (ObjectMeta meta : store.listAll(paths.manifests())) {
      String key = meta.key();
      VersionNames.number(key, paths.manifests() + "v")
          .ifPresent(v -> found.computeIfAbsent(v, k -> new Pieces()).body = meta);
      VersionNames.number(key, paths.pointers() + "p")
          .ifPresent(v -> found.computeIfAbsent(v, k -> new Pieces()).pointer = meta);
    }
    List<VersionObjects> out = new ArrayList<>();
    found.forEach(
        (version, pieces) -> {
          // What is above was committed since, or never: in neither case it is old.
          if (Long.compareUnsigned(version, current) <= 0) {
            out.add(pieces.of(version));
          }
        });
    return out;
  }

  @Override
  public Optional<Manifest> find(long version) {
    return log.find(version).map(Committed::manifest);
  }

  @Override
  public String body(long version) {
    return paths.body(version);
  }

  @Override
  public boolean isStored(long version) {
    return store.head(paths.body(version)).isPresent();
  }

  @Override
  public Optional<Floor> floor() {
    return Floor.read(paths, store);
  }

  @Override
  public Floor raiseFloor(long version, Instant now) {
    return Floor.raise(paths, store, version);
  }

  @Override
  public Optional<Manifest> ahead(long current) {
    String key = paths.body(current + 1);
    return store.get(key).map(body -> ManifestJson.versioned().read(key, body.bytes()));
  }
}
