package com.namidb.format.manifest;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What a layout adds to reading and writing: which members of the next version are its own. */
interface ManifestCodec extends ManifestJson {
  /** The layout it reads and writes. */
  Layout layout();

  /**
   * Adds the members that only this layout writes, or writes its own way.
   *
   * @param values new JSON text by member name, as {@link Document#with} takes it
   */
  void stamp(Manifest base, Change change, Map<String, byte[]> values);

  /**
   * What the next version changes beside members that both layouts have.
   *
   * @param added SSTs to list at level 0
   * @param removed ids of SSTs to list no more
   * @param createdAt time of the version, RFC 3339
   * @param jobId job that commits it, {@code null} if none does
   */
  record Change(List<NewSst> added, Set<UUID> removed, String createdAt, String jobId) {
    /** Copies the collections. */
    public Change {
      added = List.copyOf(added);
      removed = Set.copyOf(removed);
    }

    boolean isEmpty() {
      return added.isEmpty() && removed.isEmpty();
    }
  }
}
