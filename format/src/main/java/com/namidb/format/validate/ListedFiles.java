package com.namidb.format.validate;

import com.namidb.format.error.NamiException;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.manifest.WalSegment;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether every object that a reader of a version needs is there with its size: bodies, id filters,
 * WAL segments. The engine's folders are listed, anything else costs a HEAD. Search bodies and
 * accelerators are left out: without them the engine is slower, not wrong.
 */
final class ListedFiles {
  private static final String FILES = "files";

  private final NamespacePaths paths;
  private final ObjectStore store;

  ListedFiles(NamespacePaths paths, ObjectStore store) {
    this.paths = paths;
    this.store = store;
  }

  List<Finding> findings(Manifest manifest) {
    Map<String, Long> listed = new HashMap<>();
    store.listAll(paths.ssts()).forEach(o -> listed.put(o.key(), o.size()));
    store.listAll(paths.wals()).forEach(o -> listed.put(o.key(), o.size()));
    List<Finding> out = new ArrayList<>();
    for (SstDescriptor sst : manifest.ssts()) {
      if (sst.kind() != SstKind.OTHER) {
        try {
          look(paths.sst(sst), sst.sizeBytes(), listed, out);
          sst.bloom().ifPresent(b -> look(paths.bloom(sst, b), b.sizeBytes(), listed, out));
        } catch (NamiException e) {
          out.add(new Finding(FILES, sst.path(), e.getMessage(), 1));
        }
      }
    }
    for (WalSegment segment : manifest.walSegments()) {
      look(paths.wal(segment.seq()), -1, listed, out);
    }
    return out;
  }

  private void look(String key, long size, Map<String, Long> listed, List<Finding> out) {
    Long found = listed.get(key);
    if (found == null && !key.startsWith(paths.ssts()) && !key.startsWith(paths.wals())) {
      found = store.head(key).map(ObjectMeta::size).orElse(null);
    }
    if (found == null) {
      out.add(new Finding(FILES, key, "it is missing", 1));
    } else if (size >= 0 && found != size) {
      String text = "it has " + found + " bytes, the manifest says " + size;
      out.add(new Finding(FILES, key, text, 1));
    }
  }
}
