package com.namidb.format.log;

import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import java.util.OptionalLong;

/**
 * Finds the oldest version whose body is still there. Bodies are collected from the low end, so the
 * ones left run without a gap up to the current one: one HEAD if nothing was ever collected, else
 * about 2·log2(versions left). Source: manifest §3.1, §3.3.
 */
final class OldestBody {
  private final NamespacePaths paths;
  private final ObjectStore store;

  OldestBody(NamespacePaths paths, ObjectStore store) {
    this.paths = paths;
    this.store = store;
  }

  /** Searches downwards from a version; empty if even that one has no body at its place. */
  OptionalLong find(long top) {
    if (exists(0)) {
      return OptionalLong.of(0);
    }
    if (top == 0 || !exists(top)) {
      return OptionalLong.empty();
    }
    long present = top;
    long absent = 0;
    for (long step = 1; Long.compareUnsigned(step, present) < 0; step <<= 1) {
      long v = present - step;
      if (!exists(v)) {
        absent = v;
        break;
      }
      present = v;
    }
    while (present - absent > 1) {
      long middle = absent + ((present - absent) >>> 1);
      if (exists(middle)) {
        present = middle;
      } else {
        absent = middle;
      }
    }
    return OptionalLong.of(present);
  }

  private boolean exists(long version) {
    return store.head(paths.body(version)).isPresent();
  }
}
