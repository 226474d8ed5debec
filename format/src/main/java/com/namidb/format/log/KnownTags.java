package com.namidb.format.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The tags that the last few versions had while they were current, and when that was so. */
final class KnownTags {
  private static final int MAX = 16;

  private final Map<ManifestRef, Tag> tags = new LinkedHashMap<>();

  /**
   * A version that was current.
   *
   * @param committed the version
   * @param etag tag of the manifest with its bytes
   * @param nanos when it was so for sure
   */
  record Tag(Committed committed, String etag, long nanos) {}

  /** Keeps one; the oldest makes room. */
  synchronized void put(Tag tag) {
    tags.remove(tag.committed.ref());
    tags.put(tag.committed.ref(), tag);
    if (tags.size() > MAX) {
      tags.remove(tags.keySet().iterator().next());
    }
  }

  /** What is known of a version. */
  synchronized Optional<Tag> get(ManifestRef ref) {
    return Optional.ofNullable(tags.get(ref));
  }
}
