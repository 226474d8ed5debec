package com.namidb.format.log;

import com.namidb.format.id.Hex;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Bodies and pointers of the engine's layout, and {@code bulk/floor.json}. Manifest §1.1, §6.2. */
final class PointerVersions implements StoredVersions {
  private static final String END = ".json";

  private final NamespacePaths paths;
  private final ObjectStore store;

  /** Makes no request. */
  PointerVersions(NamespacePaths paths, ObjectStore store) {
    this.paths = paths;
    this.store = store;
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
    Optional<String> page = Optional.empty();
    do {
      ListPage list = store.list(paths.manifests(), page);
      for (ObjectMeta meta : list.objects()) {
        body(meta.key()).ifPresent(v -> found.computeIfAbsent(v, k -> new Pieces()).body = meta);
        pointer(meta.key())
            .ifPresent(v -> found.computeIfAbsent(v, k -> new Pieces()).pointer = meta);
      }
      page = list.next();
    } while (page.isPresent());
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
  public Optional<Floor> floor() {
    return Floor.read(paths, store);
  }

  @Override
  public Floor raiseFloor(long version) {
    return Floor.raise(paths, store, version);
  }

  @Override
  public Optional<Manifest> ahead(long current) {
    String key = paths.body(current + 1);
    return store.get(key).map(body -> ManifestJson.versioned().read(key, body.bytes()));
  }

  private Optional<Long> body(String key) {
    return number(key, paths.manifests(), "v");
  }

  private Optional<Long> pointer(String key) {
    return number(key, paths.pointers(), "p");
  }

  private static Optional<Long> number(String key, String folder, String start) {
    if (!key.startsWith(folder + start) || !key.endsWith(END)) {
      return Optional.empty();
    }
    String digits = key.substring(folder.length() + start.length(), key.length() - END.length());
    OptionalLong version = Hex.parseH16(digits);
    return version.isPresent() ? Optional.of(version.getAsLong()) : Optional.empty();
  }
}
