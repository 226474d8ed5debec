package com.namidb.format.store.local;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.store.ObjectKeys;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Keys as paths below the root, and the names there that are no objects.
 *
 * @param root the store's directory, absolute
 */
record LocalPaths(Path root) {
  private static final String CONTROL_DIRECTORY = ".namidb";
  private static final String LOCK_FILE = ".lock";
  private static final Pattern TEMPORARY = Pattern.compile(".*#[0-9]+", Pattern.DOTALL);

  /**
   * Path of an object.
   *
   * @throws com.namidb.format.error.StoreException if the key is not allowed, is the name of
   *     something else, or leads through a symbolic link
   */
  Path path(String key) {
    ObjectKeys.check(key);
    Path path = root;
    for (String part : key.split("/", -1)) {
      if (isReserved(path, part)) {
        throw StoreErrors.badKey(key, "'" + part + "' is reserved in local stores");
      }
      path = child(path, part, key);
      if (Files.isSymbolicLink(path)) {
        throw StoreErrors.link(key, path.toString());
      }
    }
    return path;
  }

  /** Directory of a prefix that is empty or ends with a slash. */
  Path directory(String prefix) {
    return prefix.isEmpty() ? root : path(prefix.substring(0, prefix.length() - 1));
  }

  /** Lock file for conditional replacements of a key: one per first part of the keys. */
  Path lockFile(String key) {
    int slash = key.indexOf('/');
    Path directory = slash < 0 ? root : root.resolve(key.substring(0, slash));
    return directory.resolve(LOCK_FILE);
  }

  /** Tells whether a name in a directory is no object and no folder of objects. */
  boolean isReserved(Path directory, String name) {
    return name.equals(LOCK_FILE)
        || (name.equals(CONTROL_DIRECTORY) && directory.equals(root))
        || TEMPORARY.matcher(name).matches();
  }

  private static Path child(Path parent, String part, String key) {
    try {
      return parent.resolve(part);
    } catch (InvalidPathException e) {
      throw StoreErrors.fileSystem("name", key, e);
    }
  }
}
