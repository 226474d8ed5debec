package com.namidb.format.snapshot;

import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.manifest.WalSegment;
import java.util.LinkedHashSet;
import java.util.Set;

/** The objects a reader of a version may need. Source: manifest §5. */
final class ListedObjects {
  private ListedObjects() {}

  /** Keys of all graph SSTs with their id filters and of all WAL segments, in manifest order. */
  static Set<String> keys(NamespacePaths paths, Manifest manifest) {
    Set<String> out = new LinkedHashSet<>();
    for (SstDescriptor sst : manifest.ssts()) {
      if (sst.kind() != SstKind.OTHER) {
        out.add(paths.sst(sst));
        sst.bloom().ifPresent(bloom -> out.add(paths.bloom(sst, bloom)));
      }
    }
    for (WalSegment segment : manifest.walSegments()) {
      out.add(paths.wal(segment.seq()));
    }
    return out;
  }
}
