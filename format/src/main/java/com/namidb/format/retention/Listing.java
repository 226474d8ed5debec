package com.namidb.format.retention;

import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of some folders, each folder listed once when first asked about. */
final class Listing {
  private final ObjectStore store;
  private final List<String> folders;
  private final Map<String, Map<String, ObjectMeta>> listed = new HashMap<>();

  Listing(ObjectStore store, String... folders) {
    this.store = store;
    this.folders = List.of(folders);
  }

  /** The object at a key in one of the folders, empty if it is not there. */
  Optional<ObjectMeta> find(String key) {
    return folders.stream()
        .filter(key::startsWith)
        .findFirst()
        .map(folder -> below(folder).get(key));
  }

  /** All objects below one of the folders, by key. */
  Map<String, ObjectMeta> below(String folder) {
    return listed.computeIfAbsent(
        folder,
        f -> {
          Map<String, ObjectMeta> out = new HashMap<>();
          store.listAll(f).forEach(meta -> out.put(meta.key(), meta));
          return out;
        });
  }
}
