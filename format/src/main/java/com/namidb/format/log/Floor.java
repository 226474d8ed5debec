package com.namidb.format.log;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.RetentionErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.StoreException;
import com.namidb.format.manifest.JsonTree;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.util.Map;
import java.util.Optional;

/**
 * The durable version floor of the versioned layout, {@code bulk/floor.json}: every version at or
 * below it is collected or may be at any time. It is raised before anything is deleted and never
 * goes down. Source: protocol §7.
 *
 * @param version newest version that may be gone, unsigned
 */
public record Floor(long version) {
  private static final String KIND = "Version floor";
  private static final String VERSION = "version";
  private static final int TRIES = 10;

  /**
   * Reads it: one GET.
   *
   * @return empty if nothing was ever collected under it
   * @throws com.namidb.format.error.CorruptObjectException if it cannot be understood
   */
  public static Optional<Floor> read(NamespacePaths paths, ObjectStore store) {
    return store.get(paths.bulkFloor()).map(Floor::parse);
  }

  /**
   * Raises it by compare-and-set; one GET and one PUT if nobody else does so at the same time.
   *
   * @param version newest version that may be gone from now on
   * @return the floor as it is stored now: higher than asked for if it was so already
   * @throws StoreException if it could not be raised; delete nothing then
   */
  public static Floor raise(NamespacePaths paths, ObjectStore store, long version) {
    String key = paths.bulkFloor();
    byte[] bytes = JsonTree.write(Map.of(VERSION, Long.toUnsignedString(version)));
    String last = "others kept changing it";
    for (int i = 0; i < TRIES; i++) {
      Optional<StoredObject> object = store.get(key);
      if (object.isPresent()) {
        Floor stored = parse(object.get());
        // After an unclear answer this is also how our own write is found.
        if (stored.covers(version)) {
          return stored;
        }
      }
      PutResult put =
          object.isEmpty()
              ? store.putIfAbsent(key, bytes)
              : store.putIfMatch(key, bytes, object.get().meta().etag());
      if (put instanceof PutResult.Written) {
        return new Floor(version);
      }
      if (put instanceof PutResult.Unclear unclear) {
        last = unclear.cause();
      }
    }
    throw StoreErrors.failed("raise the version floor: " + last, key, null);
  }

  /** Whether a version is at or below it. */
  public boolean covers(long other) {
    return Long.compareUnsigned(other, version) <= 0;
  }

  private static Floor parse(StoredObject object) {
    String key = object.meta().key();
    try {
      JsonTree tree = JsonTree.parse(KIND, key, object.bytes());
      return new Floor(Long.parseUnsignedLong(tree.text(VERSION)));
    } catch (CorruptObjectException | NumberFormatException e) {
      throw RetentionErrors.floor(key, e);
    }
  }
}
