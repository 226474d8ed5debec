package com.namidb.format.store.local;

import com.namidb.format.store.ObjectKeys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The files and directories of one directory in key order. An entry is looked at only when its turn
 * comes, because a page needs few of many thousand.
 *
 * <p>All keys below a directory start with its name and a slash, so that is what it is ordered by.
 * Its name alone comes no later; an entry therefore waits under its name until it is looked at, and
 * if it turns out to be a directory it waits again.
 */
final class LocalChildren {
  private final PriorityQueue<Entry> queue =
      new PriorityQueue<>(Comparator.comparing(Entry::key, ObjectKeys.ORDER));

  /**
   * A file or directory below the root.
   *
   * @param key key of the object, or of a directory with its trailing slash
   * @param attributes {@code null} until looked at
   */
  record Entry(String key, Path path, BasicFileAttributes attributes) {
    boolean isDirectory() {
      return attributes.isDirectory();
    }
  }

  /**
   * Reads the names in a directory.
   *
   * @param folder its key with a trailing slash, or empty
   * @param wanted tells of the key of a file or directory whether it is worth a look
   */
  LocalChildren(LocalPaths paths, String folder, Path directory, Predicate<String> wanted)
      throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path path : stream) {
        String name = path.getFileName().toString();
        String key = folder + name;
        if (!paths.isReserved(directory, name) && (wanted.test(key) || wanted.test(key + "/"))) {
          queue.add(new Entry(key, path, null));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      queue.clear();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** The next entry that is still there; symbolic links and special files are left out. */
  Optional<Entry> next() throws IOException {
    while (true) {
      Entry entry = queue.poll();
      if (entry == null || entry.attributes() != null) {
        return Optional.ofNullable(entry);
      }
      look(entry);
    }
  }

  private void look(Entry entry) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(entry.path(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        queue.add(new Entry(entry.key() + "/", entry.path(), attributes));
      } else if (attributes.isRegularFile()) {
        queue.add(new Entry(entry.key(), entry.path(), attributes));
      }
    } catch (NoSuchFileException e) {
      return; // removed since the names were read
    }
  }
}
