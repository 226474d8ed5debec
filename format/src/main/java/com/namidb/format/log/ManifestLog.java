package com.namidb.format.log;

import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.Manifest;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The numbered history of one namespace. One implementation per commit protocol. Thread-safe. Every
 * method throws {@code NamespaceNotFoundException} if there is no namespace.
 */
public interface ManifestLog {
  /** How the namespace keeps its versions. */
  Layout layout();

  /** Key of the object that commits a version, for errors. No request. */
  String key(long version);

  /** The newest committed version; no LIST where a hint exists. */
  Committed current();

  /**
   * A version known or claimed to be committed: one GET, plus one HEAD that proves it was
   * published.
   *
   * @throws com.namidb.format.error.SnapshotGoneException if it is collected or was never
   *     committed; names the oldest readable version
   */
  Committed at(long version);

  /**
   * A version not above one this log has returned: one GET.
   *
   * @return empty if it is collected
   */
  Optional<Committed> find(long version);

  /** The oldest version that still has a readable body, found without reading bodies. */
  OptionalLong oldest();

  /**
   * Commit time of a version in microseconds since 1970 UTC as its writer's clock told it, from a
   * ranged GET; empty if collected.
   */
  OptionalLong createdAtMicros(long version);

  /**
   * A version that was written but is not committed, and that {@link #publish} would complete; only
   * the versioned layout has such. One GET there.
   */
  Optional<Manifest> unfinished(long version);

  /**
   * The newest version as this log committed it, or as {@link #base} returned it or a version
   * before it, if that was less than five minutes ago: a base to publish on without any read. No
   * request.
   */
  Optional<Committed> fresh();

  /**
   * The newest version, resolved anew and found to be above the version floor: a base to publish
   * on. As {@link #current}, and one GET more.
   *
   * @throws com.namidb.format.error.CommitConflictException if the newest version that can be found
   *     may be collected already
   */
  Committed base();

  /**
   * Commits {@code next} as the version after {@code base}; every object it names must be durable.
   * Cost independent of history: three PUTs if nobody interferes, two in the single-object layout.
   * Returns for every outcome of the race and every failure of the store; a {@code Committed}
   * version contains exactly {@code next}, a {@code Lost} one is not and will never be visible.
   *
   * @param base a version this log returned
   * @param probe told of every step
   */
  PublishResult publish(Committed base, Manifest next, CommitProbe probe);

  /**
   * The newest version, after creating version 0 if there is no namespace yet.
   *
   * @throws com.namidb.format.error.StoreException if the store failed; calling again is safe
   * @throws com.namidb.format.error.ValidationFailedException if a namespace of that name is being
   *     deleted, or its deletion was cut off; or if there is none that can be read, but what one
   *     left is in its folder. Nothing was written then
   */
  Committed createIfAbsent(UUID writer, Instant now);

  /** What is stored of all versions, for those who collect old ones; makes no request. */
  StoredVersions stored();
}
