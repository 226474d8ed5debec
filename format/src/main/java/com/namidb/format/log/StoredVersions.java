package com.namidb.format.log;

import com.namidb.format.manifest.Manifest;
import com.namidb.format.store.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is stored of the versions of one namespace, for those who collect old ones. One
 * implementation per commit protocol. Source: manifest §6, protocol §7.
 */
public interface StoredVersions {
  /**
   * Everything that is stored of every version up to a current one, ascending: LIST requests only.
   *
   * @param current a version that {@link ManifestLog#base} returned before
   */
  List<VersionObjects> list(long current);

  /**
   * A version's manifest, at or below the floor too: what is left of it tells which files go.
   *
   * @return empty if its body is gone
   */
  Optional<Manifest> find(long version);

  /** Key of the object without which a version that is current no more cannot be read. */
  String body(long version);

  /** Whether a version can be opened by somebody who remembers nothing of it. */
  boolean isStored(long version);

  /** The durable version floor, empty if nothing was ever collected under it. */
  Optional<Floor> floor();

  /**
   * Raises the floor; it never goes down. Must return before anything of a version is deleted.
   *
   * @param version newest version that may be gone from now on
   * @param now commit time, where the floor is kept in a version
   * @return the floor as it is stored now, perhaps higher
   * @throws com.namidb.format.error.StoreException if it could not be raised; delete nothing then
   */
  Floor raiseFloor(long version, Instant now);

  /**
   * What somebody began to commit after a version and may still complete: its files must stay.
   *
   * @param current the newest committed version
   */
  Optional<Manifest> ahead(long current);

  /**
   * The objects that make up one version.
   *
   * @param version its number, unsigned
   * @param readable whether its body is among them
   * @param objects all of them, in the order in which to delete them
   */
  record VersionObjects(long version, boolean readable, List<ObjectMeta> objects) {
    /** Copies. */
    public VersionObjects {
      objects = List.copyOf(objects);
    }

    /** When the youngest of them was written, by the store's clock. */
    public long modifiedMillis() {
      return objects.stream().mapToLong(ObjectMeta::modifiedMillis).max().orElse(0);
    }
  }
}
