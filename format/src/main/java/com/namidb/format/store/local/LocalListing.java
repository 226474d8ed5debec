package com.namidb.format.store.local;

import com.namidb.format.store.ObjectKeys;
import com.namidb.format.store.local.LocalChildren.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Walks a directory tree in key order and visits only what can be on the page asked for. */
final class LocalListing {
  private final LocalPaths paths;

  LocalListing(LocalPaths paths) {
    this.paths = paths;
  }

  /** At most {@code limit} objects whose keys start with the prefix and follow {@code after}. */
  List<Entry> objects(String prefix, Optional<String> after, int limit) throws IOException {
    List<Entry> found = new ArrayList<>();
    collect(new Page(prefix, after.orElse(""), limit), folder(prefix), found);
    return found;
  }

  /** At most {@code limit} names of directories that hold an object, ascending as their keys. */
  List<String> folders(String prefix, Optional<String> after, int limit) throws IOException {
    String folder = folder(prefix);
    String last = after.isPresent() ? folder + after.get() + "/" : "";
    LocalChildren children =
        new LocalChildren(
            paths,
            folder,
            paths.directory(folder),
            key -> key.startsWith(prefix) && ObjectKeys.ORDER.compare(key, last) > 0);
    List<String> names = new ArrayList<>();
    while (names.size() < limit) {
      Optional<Entry> next = children.next();
      if (next.isEmpty()) {
        break;
      }
      String key = next.get().key();
      if (next.get().isDirectory()
          && key.startsWith(prefix)
          && ObjectKeys.ORDER.compare(key, last) > 0
          && !objects(key, Optional.empty(), 1).isEmpty()) {
        names.add(key.substring(folder.length(), key.length() - 1));
      }
    }
    return names;
  }

  private static String folder(String prefix) {
    return prefix.substring(0, prefix.lastIndexOf('/') + 1);
  }

  /** What is asked for; {@code after} is empty for the first page. */
  private record Page(String prefix, String after, int limit) {
    boolean wants(String key) {
      return key.endsWith("/") ? mayHold(key) : holds(key);
    }

    private boolean mayHold(String directory) {
      return (directory.startsWith(prefix) || prefix.startsWith(directory))
          && (ObjectKeys.ORDER.compare(directory, after) > 0 || after.startsWith(directory));
    }

    private boolean holds(String key) {
      return key.startsWith(prefix) && ObjectKeys.ORDER.compare(key, after) > 0;
    }
  }

  private void collect(Page page, String folder, List<Entry> found) throws IOException {
    LocalChildren children = new LocalChildren(paths, folder, paths.directory(folder), page::wants);
    while (found.size() < page.limit()) {
      Optional<Entry> next = children.next();
      if (next.isEmpty()) {
        return;
      }
      if (page.wants(next.get().key())) {
        if (next.get().isDirectory()) {
          collect(page, next.get().key(), found);
        } else {
          found.add(next.get());
        }
      }
    }
  }
}
