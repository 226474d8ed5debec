package com.namidb.format.log;

import com.namidb.format.store.ObjectMeta;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * The last few versions read. A version is the same only while its pointer is the same object: a
 * forced restore reuses numbers. Source: manifest §3.2.
 */
final class ManifestCache {
  private static final long MAX_BYTES = 32L << 20;
  private static final int MAX_ENTRIES = 16;

  private final Deque<Entry> entries = new ArrayDeque<>();

  private record Entry(ObjectMeta pointer, Committed committed) {}

  /** The version, if it was read under this very pointer. */
  synchronized Optional<Committed> get(long version, ObjectMeta pointer) {
    for (Entry e : entries) {
      if (e.committed.ref().version() == version && e.pointer.equals(pointer)) {
        return Optional.of(e.committed);
      }
    }
    return Optional.empty();
  }

  /** Whether the version was read lately, under whatever pointer. */
  synchronized boolean holds(long version) {
    return entries.stream().anyMatch(e -> e.committed.ref().version() == version);
  }

  /** Forgets all of it. */
  synchronized void clear() {
    entries.clear();
  }

  /** Keeps a version; the oldest entries make room. */
  synchronized void put(ObjectMeta pointer, Committed committed) {
    entries.removeIf(e -> e.committed.ref().version() == committed.ref().version());
    entries.addFirst(new Entry(pointer, committed));
    long bytes = 0;
    int count = 0;
    for (Iterator<Entry> i = entries.iterator(); i.hasNext(); ) {
      bytes += i.next().committed.manifest().sizeBytes();
      if (++count > 1 && (bytes > MAX_BYTES || count > MAX_ENTRIES)) {
        i.remove();
      }
    }
  }
}
