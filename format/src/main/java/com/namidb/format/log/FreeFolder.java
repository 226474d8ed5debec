package com.namidb.format.log;

import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SchemaObject;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.List;
import java.util.Optional;

/**
 * Whether a folder without a readable version is free for a new graph. A history that lost its
 * newest manifest reads as no graph, and so does an empty folder: what else is there tells them
 * apart. A new history beside the old one would hide it, and the next sweep would take its files
 * for orphans.
 *
 * <p>What jobs left of which none was committed is no part of a graph: candidates, states, rows set
 * aside, probes. Nor are the first objects of a creation, which whoever comes next finishes.
 */
final class FreeFolder {
  private static final String RECEIPT = "/receipt.json";

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final List<String> folders;
  private final List<String> objects;

  /** Makes no request. */
  FreeFolder(NamespacePaths paths, ObjectStore store) {
    this.paths = paths;
    this.store = store;
    folders =
        List.of(
            paths.manifests(),
            paths.archives(),
            paths.wals(),
            paths.ssts(),
            paths.other("schemas") + "/",
            paths.other("snapshots") + "/");
    objects = List.of(paths.manifest(), paths.bulkFloor(), paths.other("memtable_snapshot.bin"));
  }

  /**
   * The first object found that a graph left here: one LIST per thousand objects of the folder.
   *
   * @param layout in which a graph is to be made
   */
  Optional<String> taken(Layout layout) {
    Optional<String> page = Optional.empty();
    do {
      ListPage list = store.list(paths.prefix(), page);
      for (ObjectMeta meta : list.objects()) {
        if (isPart(meta.key()) && !isBegun(meta.key(), layout)) {
          return Optional.of(meta.key());
        }
      }
      page = list.next();
    } while (page.isPresent());
    return Optional.empty();
  }

  private boolean isPart(String key) {
    return folders.stream().anyMatch(key::startsWith)
        || objects.contains(key)
        // Written after a commit only.
        || (key.startsWith(paths.bulk()) && key.endsWith(RECEIPT));
  }

  /** Whether this may be the beginning of a creation that was cut off or is under way. */
  private boolean isBegun(String key, Layout layout) {
    return key.equals(paths.schema(SchemaObject.EMPTY_ID))
        || (layout == Layout.VERSIONED && key.equals(paths.body(0)));
  }
}
