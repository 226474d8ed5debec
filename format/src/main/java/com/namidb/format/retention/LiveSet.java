package com.namidb.format.retention;

import com.namidb.format.manifest.ListedPaths;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.WalSegment;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of every object that versions somebody may still read can need; rather too many than too
 * few. Source: manifest §6.2.
 */
final class LiveSet {
  private final NamespacePaths paths;
  private final Set<String> keys = new HashSet<>();

  LiveSet(NamespacePaths paths) {
    this.paths = paths;
  }

  /** Keeps everything a version names. */
  void add(Manifest manifest) {
    keys.addAll(named(paths, manifest));
    ListedPaths.of(manifest).perhaps().forEach(text -> keys.add(paths.other(text)));
  }

  boolean contains(String key) {
    return keys.contains(key);
  }

  /** Whether anything below a folder is kept. */
  boolean containsBelow(String folder) {
    return keys.stream().anyMatch(k -> k.startsWith(folder));
  }

  /** Keys of the SSTs, sidecars and WAL segments that a version certainly means. */
  static Set<String> named(NamespacePaths paths, Manifest manifest) {
    Set<String> out = new HashSet<>();
    ListedPaths.of(manifest).sure().forEach(path -> out.add(paths.object(path)));
    for (WalSegment segment : manifest.walSegments()) {
      out.add(paths.wal(segment.seq()));
    }
    return out;
  }
}
