package com.namidb.format.log;

import com.namidb.format.log.HistoryAudit.Problem;
import com.namidb.format.log.VersionRun.Gap;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One look at the archives of the layout of one replaced object. */
final class ArchiveAudit {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final Committed current;

  /** Makes no request. */
  ArchiveAudit(NamespacePaths paths, ObjectStore store, Committed current) {
    this.paths = paths;
    this.store = store;
    this.current = current;
  }

  List<Problem> problems() {
    List<Problem> out = new ArrayList<>();
    VersionRun archives = new VersionRun();
    for (ObjectMeta meta : store.listAll(paths.archives())) {
      VersionNames.number(meta.key(), paths.archives()).ifPresent(archives::add);
    }
    long top = current.ref().version();
    // The current version may be archived already, by a writer that then failed to replace it.
    long newest = archives.newest().orElse(top);
    if (Long.compareUnsigned(newest, top) > 0) {
      out.add(
          new Problem(
              paths.manifest(),
              "it is version "
                  + Long.toUnsignedString(top)
                  + ", but there are archives up to version "
                  + Long.toUnsignedString(newest)
                  + ": the newer manifest was lost",
              newest - top));
    }
    OptionalLong floor = current.manifest().floor();
    long first = floor.isPresent() ? floor.getAsLong() + 1 : 0;
    if (Long.compareUnsigned(first, top) > 0) {
      out.add(new Problem(paths.manifest(), "its own version floor gives it up", 1));
    } else if (first != top) {
      // Nothing above the floor is ever collected in this layout: the run begins right there.
      for (Gap gap : archives.gaps(first, top - 1)) {
        out.add(
            new Problem(
                paths.archive(gap.first()),
                "the archive of " + gap.text() + " is missing, above the version floor",
                gap.count()));
      }
    }
    store.list(paths.manifests(), Optional.empty()).objects().stream()
        .map(ObjectMeta::key)
        .filter(
            key ->
                VersionNames.number(key, paths.manifests() + "v").isPresent()
                    || VersionNames.number(key, paths.pointers() + "p").isPresent())
        .findFirst()
        .ifPresent(
            key ->
                out.add(
                    new Problem(
                        key, "it is a version of another history, in the layout versioned", 1)));
    return out;
  }
}
