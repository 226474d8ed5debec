package com.namidb.format.store.memory;

import com.namidb.format.id.Hex;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectKeys;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import com.namidb.format.store.Xxh3;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A map of objects. Every operation is atomic. The tag of an object is the XXH3-64 of its content,
 * as in the local store, so equal content has an equal tag.
 */
public final class MemoryStore implements ObjectStore {
  private static final ConcurrentMap<String, MemoryStore> NAMED = new ConcurrentHashMap<>();
  private static final ConcurrentMap<String, ObjectStore> SHOWN = new ConcurrentHashMap<>();
  private static final int DEFAULT_PAGE_SIZE = 1000;

  private final ConcurrentSkipListMap<String, StoredObject> objects =
      new ConcurrentSkipListMap<>(ObjectKeys.ORDER);
  private final Clock clock;
  private final int pageSize;

  /** A store of its own, empty. */
  public MemoryStore() {
    this(Clock.systemUTC(), DEFAULT_PAGE_SIZE);
  }

  /**
   * A store of its own, empty.
   *
   * @param clock tells when an object was modified
   * @param pageSize objects or folders per page of a listing
   */
  public MemoryStore(Clock clock, int pageSize) {
    this.clock = clock;
    this.pageSize = pageSize;
  }

  /** The store all callers of this JVM share under a name; made when first asked for. */
  public static MemoryStore named(String name) {
    return NAMED.computeIfAbsent(name, n -> new MemoryStore());
  }

  /** What all openers of a name get: the named store, or what is shown instead. */
  public static ObjectStore opened(String name) {
    ObjectStore shown = SHOWN.get(name);
    return shown != null ? shown : named(name);
  }

  /** Shows another store to all openers of a name, such as one that counts the requests. */
  public static void show(String name, ObjectStore store) {
    SHOWN.put(name, store);
  }

  @Override
  public Optional<ObjectMeta> head(String key) {
    return get(key).map(StoredObject::meta);
  }

  @Override
  public Optional<StoredObject> get(String key) {
    ObjectKeys.check(key);
    // A copy: what a reader does to its bytes must not reach the store.
    return Optional.ofNullable(objects.get(key))
        .map(object -> new StoredObject(object.meta(), object.bytes().clone()));
  }

  @Override
  public Optional<byte[]> getRange(String key, ByteRange range) {
    ObjectKeys.check(key);
    return Optional.ofNullable(objects.get(key))
        .map(StoredObject::bytes)
        .filter(bytes -> range.end() <= bytes.length)
        .map(bytes -> Arrays.copyOfRange(bytes, (int) range.offset(), (int) range.end()));
  }

  @Override
  public PutResult putIfAbsent(String key, byte[] body) {
    StoredObject object = object(key, body);
    return objects.putIfAbsent(key, object) == null
        ? new PutResult.Written(object.meta().etag())
        : new PutResult.Refused();
  }

  @Override
  public PutResult putIfMatch(String key, byte[] body, String etag) {
    StoredObject object = object(key, body);
    StoredObject now =
        objects.computeIfPresent(key, (k, was) -> was.meta().etag().equals(etag) ? object : was);
    return now == object ? new PutResult.Written(object.meta().etag()) : new PutResult.Refused();
  }

  @Override
  public PutResult put(String key, byte[] body) {
    StoredObject object = object(key, body);
    objects.put(key, object);
    return new PutResult.Written(object.meta().etag());
  }

  private StoredObject object(String key, byte[] body) {
    ObjectKeys.check(key);
    String etag = Hex.h16(Xxh3.hash(body));
    return new StoredObject(new ObjectMeta(key, body.length, etag, clock.millis()), body.clone());
  }

  @Override
  public ObjectUpload upload(String key) {
    ObjectKeys.check(key);
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    return new ObjectUpload() {
      private boolean open = true;

      @Override
      public void write(byte[] bytes, int offset, int length) {
        checkOpen();
        pieces.write(bytes, offset, length);
      }

      @Override
      public PutResult finish() {
        checkOpen();
        open = false;
        return putIfAbsent(key, pieces.toByteArray());
      }

      private void checkOpen() {
        if (!open) {
          throw new IllegalStateException("the upload of " + key + " is over");
        }
      }

      @Override
      public void close() {
        open = false;
      }
    };
  }

  @Override
  public ListPage list(String prefix, Optional<String> after) {
    ObjectKeys.checkPrefix(prefix);
    List<ObjectMeta> page = new ArrayList<>();
    boolean started = after.isPresent() && ObjectKeys.ORDER.compare(after.get(), prefix) >= 0;
    Map<String, StoredObject> rest =
        started ? objects.tailMap(after.get(), false) : objects.tailMap(prefix, true);
    for (Map.Entry<String, StoredObject> entry : rest.entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        break;
      }
      if (page.size() == pageSize) {
        return new ListPage(page, Optional.of(page.get(pageSize - 1).key()));
      }
      page.add(entry.getValue().meta());
    }
    return new ListPage(page, Optional.empty());
  }

  @Override
  public NamePage listFolders(String prefix, Optional<String> after) {
    ObjectKeys.checkPrefix(prefix);
    String folder = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    List<String> names = new ArrayList<>();
    String key =
        after.isPresent()
            ? objects.ceilingKey(past(folder + after.get()))
            : objects.ceilingKey(prefix);
    while (key != null && key.startsWith(prefix)) {
      int slash = key.indexOf('/', folder.length());
      if (slash < 0) {
        key = objects.higherKey(key);
        continue;
      }
      if (names.size() == pageSize) {
        return new NamePage(names, Optional.of(names.get(pageSize - 1)));
      }
      names.add(key.substring(folder.length(), slash));
      key = objects.ceilingKey(past(key.substring(0, slash)));
    }
    return new NamePage(names, Optional.empty());
  }

  /** The first text after all keys below a folder: the character after the slash is a zero. */
  private static String past(String folder) {
    return folder + (char) ('/' + 1);
  }

  @Override
  public void delete(String key) {
    ObjectKeys.check(key);
    objects.remove(key);
  }

  /** Keeps the objects: a store shared by name outlives each of its users. */
  @Override
  public void close() {}
}
