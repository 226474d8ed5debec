package com.namidb.format.snapshot;

import com.namidb.format.manifest.NamespacePaths;
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
}
