package com.namidb.format.snapshot;

import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells for many keys whether their objects are there: the engine's two folders are listed once,
 * when first needed; anything else is asked for one by one.
 */
final class StoredKeys {
  private final ObjectStore store;
  private final String[] folders;
  private final Map<String, Set<String>> listed = new HashMap<>();
  private final Map<String, Boolean> asked = new HashMap<>();

  StoredKeys(NamespacePaths paths, ObjectStore store) {
    this.store = store;
    this.folders = new String[] {paths.ssts(), paths.wals()};
  }

  boolean contains(String key) {
    for (String folder : folders) {
      if (key.startsWith(folder)) {
        return listed.computeIfAbsent(folder, this::list).contains(key);
      }
    }
    return asked.computeIfAbsent(key, k -> store.head(k).isPresent());
  }

  private Set<String> list(String folder) {
    return store.listAll(folder).stream().map(ObjectMeta::key).collect(Collectors.toSet());
  }
}
