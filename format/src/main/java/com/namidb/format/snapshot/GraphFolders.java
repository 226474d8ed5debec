package com.namidb.format.snapshot;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which folders of a store are graphs, in whichever layout. A graph is a folder with a manifest.
 * Source: manifest §1, single-object manifest.
 */
public final class GraphFolders {
  private GraphFolders() {}

  /** Whether a graph can have this name. Source: manifest §1.4. */
  public static boolean isName(String name) {
    return LocationParser.isNamespace(name);
  }

  /**
   * The graphs below a root, ascending: one listing of folders, and one more for each of them.
   *
   * @param root prefix without a slash at its end, not yet percent-encoded, may be empty
   */
  public static List<String> below(String root, ObjectStore store) {
    String prefix = NamespacePaths.below(root);
    List<String> out = new ArrayList<>();
    Optional<String> page = Optional.empty();
    do {
      ObjectStore.NamePage names = store.listFolders(prefix, page);
      for (String name : names.names()) {
        if (isName(name) && exists(new NamespacePaths(root, name), store)) {
          out.add(name);
        }
      }
      page = names.next();
    } while (page.isPresent());
    return out;
  }

  /**
   * Whether a graph is here, or what is left of one whose deletion was cut off: one request if it
   * is versioned, two if it is one object, three if there is none.
   */
  public static boolean exists(NamespacePaths paths, ObjectStore store) {
    return store.head(paths.currentHint()).isPresent()
        || store.head(paths.manifest()).isPresent()
        || !store.list(paths.manifests(), Optional.empty()).objects().isEmpty();
  }

  /**
   * Proves that a new graph may be made here: what lies in its folder would otherwise be taken for
   * a part of it. Schema objects are named after their content and do no harm.
   *
   * @param layout in which it is made
   * @throws com.namidb.format.error.ValidationFailedException if files of another graph are there
   */
  public static void checkFree(NamespacePaths paths, ObjectStore store, Layout layout) {
    for (String folder : List.of(paths.manifests(), paths.archives(), paths.wals(), paths.ssts())) {
      ListPage page = store.list(folder, Optional.empty());
      // A body 0 alone is a creation that another began: creating finishes it.
      page.objects().stream()
          .filter(o -> layout == Layout.SINGLE_OBJECT || !o.key().equals(paths.body(0)))
          .findFirst()
          .ifPresent(
              o -> {
                throw CatalogErrors.folderNotFree(paths.namespace(), o.key());
              });
    }
  }
}
