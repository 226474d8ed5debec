package com.namidb.format.store.local;

import com.namidb.format.error.LocationErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectKeys;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Objects as files below one directory, which is made with the first object.
 *
 * <p>The tag of an object is the XXH3-64 of its content; a listing leaves it empty, because it
 * would have to read every file. {@code putIfMatch} excludes other {@code putIfMatch} calls, of all
 * processes; a {@code put} or {@code delete} of the same key at the same moment is not held back.
 * All content is synced to disk before it becomes visible.
 */
public final class LocalStore implements ObjectStore {
  private static final int DEFAULT_PAGE_SIZE = 1000;
  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final LocalPaths paths;
  private final LocalListing listing;
  private final int pageSize;

  private LocalStore(Path root, int pageSize) {
    this.paths = new LocalPaths(root.toAbsolutePath());
    this.listing = new LocalListing(paths);
    this.pageSize = pageSize;
  }

  /**
   * A store over a directory, which need not exist yet.
   *
   * @param directory path as the file system takes it; relative to the working directory
   */
  public static LocalStore open(String directory) {
    try {
      return open(Path.of(directory));
    } catch (InvalidPathException e) {
      throw LocationErrors.badUri("file://" + directory.replace('\0', '?'), e.getReason());
    }
  }

  /** A store over a directory, which need not exist yet. */
  public static LocalStore open(Path directory) {
    return new LocalStore(directory, DEFAULT_PAGE_SIZE);
  }

  /**
   * A store with pages of its own size.
   *
   * @param pageSize objects or folders per page of a listing
   */
  public static LocalStore open(Path directory, int pageSize) {
    return new LocalStore(directory, pageSize);
  }

  @Override
  public Optional<ObjectMeta> head(String key) {
    return reading(
        key, file -> new ObjectMeta(key, file.size(), file.etag(), file.modifiedMillis()));
  }

  @Override
  public Optional<StoredObject> get(String key) {
    return reading(
        key,
        file -> {
          long size = file.size();
          if (size > MAX_ARRAY_BYTES) {
            throw StoreErrors.tooLarge(key, size);
          }
          byte[] bytes = file.read(0, (int) size);
          String etag = LocalFile.etag(bytes);
          return new StoredObject(new ObjectMeta(key, size, etag, file.modifiedMillis()), bytes);
        });
  }

  @Override
  public Optional<byte[]> getRange(String key, ByteRange range) {
    return reading(
            key,
            file ->
                range.end() <= file.size()
                    ? Optional.of(file.read(range.offset(), range.length()))
                    : Optional.<byte[]>empty())
        .flatMap(found -> found);
  }

  private interface Reading<T> {
    T of(LocalFile file) throws IOException;
  }

  private <T> Optional<T> reading(String key, Reading<T> reading) {
    Path path = paths.path(key);
    try {
      Optional<LocalFile> found = LocalFile.open(path);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      try (LocalFile file = found.get()) {
        return Optional.of(reading.of(file));
      }
    } catch (IOException e) {
      throw StoreErrors.fileSystem("read", key, e);
    }
  }

  @Override
  public PutResult putIfAbsent(String key, byte[] body) {
    try (TempFile temp = TempFile.beside(paths.path(key))) {
      temp.write(body, 0, body.length);
      return temp.create(LocalFile.etag(body));
    } catch (IOException e) {
      throw StoreErrors.fileSystem("create", key, e);
    }
  }

  @Override
  public PutResult putIfMatch(String key, byte[] body, String etag) {
    Path path = paths.path(key);
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return new PutResult.Refused();
    }
    try (TempFile temp = TempFile.beside(path)) {
      temp.write(body, 0, body.length);
      return ReplaceLock.holding(
          paths.lockFile(key),
          () ->
              etag.equals(currentTag(path))
                  ? temp.replace(LocalFile.etag(body))
                  : new PutResult.Refused());
    } catch (IOException e) {
      throw StoreErrors.fileSystem("replace", key, e);
    }
  }

  private static String currentTag(Path path) throws IOException {
    Optional<LocalFile> found = LocalFile.open(path);
    if (found.isEmpty()) {
      return "";
    }
    try (LocalFile file = found.get()) {
      return file.etag();
    }
  }

  @Override
  public PutResult put(String key, byte[] body) {
    try (TempFile temp = TempFile.beside(paths.path(key))) {
      temp.write(body, 0, body.length);
      return temp.replace(LocalFile.etag(body));
    } catch (IOException e) {
      throw StoreErrors.fileSystem("write", key, e);
    }
  }

  @Override
  public ObjectUpload upload(String key) {
    try {
      return new LocalUpload(key, TempFile.beside(paths.path(key)));
    } catch (IOException e) {
      throw StoreErrors.fileSystem("create", key, e);
    }
  }

  @Override
  public ListPage list(String prefix, Optional<String> after) {
    ObjectKeys.checkPrefix(prefix);
    try {
      List<LocalChildren.Entry> found = listing.objects(prefix, after, pageSize + 1);
      List<ObjectMeta> page = found.stream().limit(pageSize).map(LocalStore::listed).toList();
      return new ListPage(
          page,
          found.size() > pageSize ? Optional.of(page.get(pageSize - 1).key()) : Optional.empty());
    } catch (IOException e) {
      throw StoreErrors.fileSystem("list", prefix, e);
    }
  }

  private static ObjectMeta listed(LocalChildren.Entry entry) {
    return new ObjectMeta(
        entry.key(),
        entry.attributes().size(),
        "",
        entry.attributes().lastModifiedTime().toMillis());
  }

  @Override
  public NamePage listFolders(String prefix, Optional<String> after) {
    ObjectKeys.checkPrefix(prefix);
    try {
      List<String> found = listing.folders(prefix, after, pageSize + 1);
      List<String> page = found.stream().limit(pageSize).toList();
      return new NamePage(
          page, found.size() > pageSize ? Optional.of(page.get(pageSize - 1)) : Optional.empty());
    } catch (IOException e) {
      throw StoreErrors.fileSystem("list", prefix, e);
    }
  }

  @Override
  public void delete(String key) {
    Path path = paths.path(key);
    try {
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw StoreErrors.fileSystem("delete", key, e);
    }
  }

  /** Best effort: a directory that cannot be removed, or gets a file meanwhile, stays. */
  @Override
  public void tidy(String prefix) {
    ObjectKeys.checkPrefix(prefix);
    EmptyDirectories.remove(paths.directory(prefix));
  }

  /** Nothing to give back: every call closes its files. */
  @Override
  public void close() {}
}
