package com.namidb.format.log;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.log.HistoryAudit.Problem;
import com.namidb.format.log.VersionRun.Gap;
import com.namidb.format.manifest.ManifestPointer;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One look at bodies, pointers, advisory copy and floor of the engine's layout. */
final class PointerAudit {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final long current;
  private final VersionRun bodies = new VersionRun();
  private final VersionRun pointers = new VersionRun();
  private final List<Problem> out = new ArrayList<>();

  /**
   * Makes no request.
   *
   * @param current the newest version as it is found
   */
  PointerAudit(NamespacePaths paths, ObjectStore store, long current) {
    this.paths = paths;
    this.store = store;
    this.current = current;
  }

  List<Problem> problems() {
    // Before the list: what the floor covered then, the list need not have.
    OptionalLong floor = floor();
    for (ObjectMeta meta : store.listAll(paths.manifests())) {
      VersionNames.number(meta.key(), paths.manifests() + "v").ifPresent(bodies::add);
      VersionNames.number(meta.key(), paths.pointers() + "p").ifPresent(pointers::add);
    }
    OptionalLong hint = hint();
    long top = pointers.newest().orElse(current);
    top = Long.compareUnsigned(top, current) < 0 ? current : top;
    if (floor.isPresent() && Long.compareUnsigned(floor.getAsLong(), top) >= 0) {
      out.add(
          new Problem(
              paths.bulkFloor(),
              "it gives up all versions up to "
                  + Long.toUnsignedString(floor.getAsLong())
                  + ", but the newest one is "
                  + Long.toUnsignedString(top)
                  + ": no commit is possible",
              1));
      floor = OptionalLong.empty();
    }
    lost(hint, top);
    gaps(floor.isPresent() ? floor.getAsLong() + 1 : 0, top);
    store.list(paths.archives(), Optional.empty()).objects().stream()
        .map(ObjectMeta::key)
        .filter(key -> VersionNames.number(key, paths.archives()).isPresent())
        .findFirst()
        .ifPresent(
            key ->
                out.add(
                    new Problem(
                        key,
                        "it is a version of another history, in the layout single-object",
                        1)));
    return out;
  }

  private OptionalLong floor() {
    try {
      return Floor.read(paths, store)
          .map(f -> OptionalLong.of(f.version()))
          .orElse(OptionalLong.empty());
    } catch (CorruptObjectException e) {
      out.add(
          new Problem(
              paths.bulkFloor(),
              "it cannot be understood: commits and sweeps that read it stop",
              1));
      return OptionalLong.empty();
    }
  }

  private OptionalLong hint() {
    return store
        .get(paths.currentHint())
        .map(
            object -> {
              try {
                String key = paths.currentHint();
                return OptionalLong.of(ManifestPointer.parse(key, object.bytes()).version());
              } catch (CorruptObjectException e) {
                // Only a hint, and written anew by the next commit.
                return OptionalLong.empty();
              }
            })
        .orElse(OptionalLong.empty());
  }

  /**
   * Versions above the newest one that has a pointer. The advisory copy is written after the
   * pointer it names, and a body only after the pointer before it.
   */
  private void lost(OptionalLong hint, long top) {
    long named = hint.orElse(top);
    long written = bodies.newest().orElse(top);
    String newest = Long.toUnsignedString(top);
    if (Long.compareUnsigned(named, top) > 0 && store.head(paths.pointer(named)).isEmpty()) {
      out.add(
          new Problem(
              paths.pointer(named),
              "it is missing, though current.json names version "
                  + Long.toUnsignedString(named)
                  + "; version "
                  + newest
                  + " is read instead, and a commit on it would fork the history",
              named - top));
    } else if (Long.compareUnsigned(written, top) > 0 && written != top + 1) {
      out.add(
          new Problem(
              paths.pointer(top + 1),
              "it is missing, though there are bodies up to version "
                  + Long.toUnsignedString(written)
                  + "; version "
                  + newest
                  + " is read instead, and a commit on it would fork the history",
              written - top));
    }
  }

  private void gaps(long first, long top) {
    List<Gap> without = bodies.gapsAbove(first, top);
    List<Gap> uncommitted = pointers.gapsAbove(first, top);
    for (Gap gap : without) {
      boolean both = uncommitted.remove(gap);
      out.add(
          new Problem(
              paths.body(gap.first()),
              (both ? "body and pointer of " : "the body of ")
                  + gap.text()
                  + " is missing, though an older version is there",
              gap.count()));
    }
    for (Gap gap : uncommitted) {
      out.add(
          new Problem(
              paths.pointer(gap.first()),
              "the pointer of " + gap.text() + " is missing, though an older one is there",
              gap.count()));
    }
  }
}
