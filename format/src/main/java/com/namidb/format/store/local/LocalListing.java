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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Walks a directory tree in key order and visits only what can be on the page asked for. Files that
 * vanish meanwhile are left out; symbolic links are no objects.
 */
final class LocalListing {
  private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::key, ObjectKeys.ORDER);

  private final LocalPaths paths;

  LocalListing(LocalPaths paths) {
    this.paths = paths;
  }

  /**
   * A file or directory below the root.
   *
   * @param key key of the object, or of a directory with its trailing slash: as all keys below a
   *     directory start with that, the order of entries is the order of keys
   */
  record Entry(String key, Path path, BasicFileAttributes attributes) {
    boolean isDirectory() {
      return attributes.isDirectory();
    }
  }

  /** At most {@code limit} objects whose keys start with the prefix and follow {@code after}. */
  List<Entry> objects(String prefix, Optional<String> after, int limit) throws IOException {
    String folder = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    List<Entry> found = new ArrayList<>();
    collect(new Page(prefix, after, limit), folder, paths.directory(folder), found);
    return found;
  }

  /** Names of the directories below {@code folder} that hold an object, ascending. */
  List<String> folders(String prefix, Optional<String> after, int limit) throws IOException {
    String folder = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    List<String> names = new ArrayList<>();
    for (Entry entry : children(folder, paths.directory(folder))) {
      if (names.size() == limit) {
        break;
      }
      if (entry.isDirectory()
          && entry.key().startsWith(prefix)
          && (after.isEmpty()
              || ObjectKeys.ORDER.compare(entry.key(), folder + after.get() + "/") > 0)
          && !objects(entry.key(), Optional.empty(), 1).isEmpty()) {
        names.add(entry.key().substring(folder.length(), entry.key().length() - 1));
      }
    }
    return names;
  }

  private record Page(String prefix, Optional<String> after, int limit) {
    boolean mayHold(String directory) {
      return (directory.startsWith(prefix) || prefix.startsWith(directory))
          && (after.isEmpty()
              || ObjectKeys.ORDER.compare(directory, after.get()) > 0
              || after.get().startsWith(directory));
    }

    boolean holds(String key) {
      return key.startsWith(prefix)
          && (after.isEmpty() || ObjectKeys.ORDER.compare(key, after.get()) > 0);
    }
  }

  private void collect(Page page, String folder, Path directory, List<Entry> found)
      throws IOException {
    for (Entry entry : children(folder, directory)) {
      if (found.size() == page.limit()) {
        return;
      }
      if (!entry.isDirectory()) {
        if (page.holds(entry.key())) {
          found.add(entry);
        }
      } else if (page.mayHold(entry.key())) {
        collect(page, entry.key(), entry.path(), found);
      }
    }
  }

  private List<Entry> children(String folder, Path directory) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path path : stream) {
        entry(folder, directory, path).ifPresent(entries::add);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    entries.sort(ORDER);
    return entries;
  }

  private Optional<Entry> entry(String folder, Path directory, Path path) throws IOException {
    String name = path.getFileName().toString();
    if (paths.isReserved(directory, name)) {
      return Optional.empty();
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        return Optional.of(new Entry(folder + name + "/", path, attributes));
      }
      return attributes.isRegularFile()
          ? Optional.of(new Entry(folder + name, path, attributes))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
