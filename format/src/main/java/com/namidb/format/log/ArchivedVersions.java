package com.namidb.format.log;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestEdit;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Archives of the layout of one replaced object, whose floor is a member of the manifest. Source:
 * single-object manifest, protocol §7.
 */
final class ArchivedVersions implements StoredVersions {
  private static final int TRIES = 10;
  // A publication without a clear outcome has repeated its requests itself.
  private static final int UNCLEAR = 5;

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final SingleObjectLog log;

  /** Makes no request. */
  ArchivedVersions(NamespacePaths paths, ObjectStore store, SingleObjectLog log) {
    this.paths = paths;
    this.store = store;
    this.log = log;
  }

  /**
   * {@inheritDoc}
   *
   * <p>An archive is written just before its version is replaced, or long before by somebody who
   * then failed to replace it, or once more long after by somebody who was stalled. So its time is
   * never before the version was committed. The current version is dated by the manifest itself.
   */
  @Override
  public List<VersionObjects> list(long current) {
    List<VersionObjects> out = new ArrayList<>();
    for (ObjectMeta meta : store.listAll(paths.archives())) {
      Optional<Long> version = VersionNames.number(meta.key(), paths.archives());
      if (version.isPresent() && Long.compareUnsigned(version.get(), current) < 0) {
        out.add(new VersionObjects(version.get(), true, List.of(meta)));
      }
    }
    store
        .head(paths.manifest())
        .ifPresent(meta -> out.add(new VersionObjects(current, true, List.of(meta))));
    out.sort(Comparator.comparing(VersionObjects::version, Long::compareUnsigned));
    return out;
  }

  @Override
  public Optional<Manifest> find(long version) {
    // A version that was read stays what it was; the current one has no archive.
    Optional<Committed> found = log.fresh().filter(c -> c.ref().version() == version);
    return found
        .or(() -> log.archived(version))
        .or(() -> Optional.of(log.current()).filter(c -> c.ref().version() == version))
        // Replaced meanwhile.
        .or(() -> log.archived(version))
        .map(Committed::manifest);
  }

  @Override
  public String body(long version) {
    return paths.archive(version);
  }

  @Override
  public boolean isStored(long version) {
    return isArchived(version)
        || log.current().ref().version() == version
        // Replaced meanwhile.
        || isArchived(version);
  }

  private boolean isArchived(long version) {
    return store.head(paths.archive(version)).isPresent();
  }

  @Override
  public Optional<Floor> floor() {
    return floor(log.current());
  }

  private static Optional<Floor> floor(Committed current) {
    OptionalLong floor = current.manifest().floor();
    return floor.isPresent() ? Optional.of(new Floor(floor.getAsLong())) : Optional.empty();
  }

  @Override
  public Floor raiseFloor(long version, Instant now) {
    String last = "others kept committing";
    for (int left = TRIES; left > 0; ) {
      Committed base = log.current();
      Optional<Floor> stored = floor(base);
      // After an unknown outcome this is also how our own commit is found.
      if (stored.isPresent() && stored.get().covers(version)) {
        return stored.get();
      }
      Manifest next =
          ManifestEdit.of(base.manifest())
              .floor(version)
              .build(UUID.randomUUID(), now, paths.manifest());
      PublishResult result = log.publish(base, next, CommitProbe.NONE);
      if (result instanceof PublishResult.Committed) {
        return new Floor(version);
      }
      if (result instanceof PublishResult.Failed failed) {
        throw failed.reason();
      }
      if (result instanceof PublishResult.Unknown unknown) {
        // Whichever of our commits still arrives, it brings this floor and nothing else.
        last = unknown.evidence();
        left -= UNCLEAR;
      } else {
        left--;
      }
    }
    throw StoreErrors.failed("raise the version floor: " + last, paths.manifest(), null);
  }

  /** A manifest is replaced at once or not at all. */
  @Override
  public Optional<Manifest> ahead(long current) {
    return Optional.empty();
  }
}
