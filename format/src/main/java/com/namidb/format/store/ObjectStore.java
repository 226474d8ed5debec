package com.namidb.format.store;

import com.namidb.format.error.NamiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The few things NamiDB needs of an object store. After {@code Written} every later read sees the
 * bytes. Reads may be retried inside; conditional writes never are. Thread-safe. Every method
 * throws {@link com.namidb.format.error.StoreException} for a failure that is not one of its
 * results.
 */
public interface ObjectStore extends AutoCloseable {
  /** Most keys of one {@link #deleteAll}. */
  int DELETE_BATCH = 1000;

  /** One request: size, tag and time of an object, empty if it is not there. */
  Optional<ObjectMeta> head(String key);

  /** One request: a whole object, empty if it is not there. */
  Optional<StoredObject> get(String key);

  /**
   * One request: a part of an object.
   *
   * @return exactly {@code range.length()} bytes; empty if the object is not there or ends before
   *     the range does
   */
  Optional<byte[]> getRange(String key, ByteRange range);

  /**
   * Creates {@code key} with these bytes if no object is there yet.
   *
   * <p>One request; never retried here, because a retry after a lost reply would be refused by our
   * own object.
   *
   * @param body complete content; not modified, not kept
   * @return {@code Written} with the new tag; {@code Refused} if any object is there, ours
   *     included; {@code Unclear} if the store's answer was lost or ambiguous: read {@code key} to
   *     decide
   */
  PutResult putIfAbsent(String key, byte[] body);

  /**
   * Replaces {@code key} if its current tag is {@code etag}; otherwise as {@link #putIfAbsent}.
   * {@code Refused} also if the object is gone.
   */
  PutResult putIfMatch(String key, byte[] body, String etag);

  /** Writes {@code key} whatever is there: {@code Written} or {@code Unclear}. */
  PutResult put(String key, byte[] body);

  /** Starts writing a large object that must not exist yet. */
  ObjectUpload upload(String key);

  /**
   * One request: a page of the objects whose keys start with {@code prefix}, ascending by key.
   *
   * @param after token of the page before, empty for the first
   */
  ListPage list(String prefix, Optional<String> after);

  /**
   * One request: the names directly below {@code prefix} that hold further objects, each without
   * the trailing slash; at most one page per call.
   */
  NamePage listFolders(String prefix, Optional<String> after);

  /** All objects below a prefix, in the order of {@link #list}: a request per page. */
  default List<ObjectMeta> listAll(String prefix) {
    List<ObjectMeta> out = new ArrayList<>();
    Optional<String> page = Optional.empty();
    do {
      ListPage list = list(prefix, page);
      out.addAll(list.objects());
      page = list.next();
    } while (page.isPresent());
    return out;
  }

  /** Removes an object; nothing happens if it is not there. */
  void delete(String key);

  /**
   * Removes what is left of folders below a prefix when their objects are gone. Never an object;
   * stores without folders have nothing to do.
   *
   * @param prefix ends with a slash
   */
  default void tidy(String prefix) {}

  /**
   * Removes objects in no particular order, with one request where the store can do that; nothing
   * happens to those that are not there. A request that failed as a whole may have removed any of
   * them.
   *
   * @param keys at most {@link #DELETE_BATCH}
   * @return which of them may still be there
   */
  default DeleteReport deleteAll(List<String> keys) {
    return oneByOne(this, keys);
  }

  /** Keys in as many parts as it takes to delete them all. */
  static List<List<String>> batches(List<String> keys) {
    List<List<String>> out = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += DELETE_BATCH) {
      out.add(keys.subList(from, Math.min(keys.size(), from + DELETE_BATCH)));
    }
    return out;
  }

  /** One request per key, until one fails. */
  static DeleteReport oneByOne(ObjectStore store, List<String> keys) {
    keys.forEach(ObjectKeys::check);
    List<DeleteReport.Failure> failures = new ArrayList<>();
    long sent = 0;
    for (String key : keys) {
      if (!failures.isEmpty()) {
        failures.add(new DeleteReport.Failure(key, "not tried after another one failed"));
        continue;
      }
      sent++;
      try {
        store.delete(key);
      } catch (NamiException e) {
        failures.add(new DeleteReport.Failure(key, e.getMessage()));
      }
    }
    return new DeleteReport(sent, failures);
  }

  @Override
  void close();

  /**
   * One page of folder names.
   *
   * @param names ascending
   * @param next token for the following page, empty on the last
   */
  record NamePage(List<String> names, Optional<String> next) {}
}
