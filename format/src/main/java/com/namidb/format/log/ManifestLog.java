package com.namidb.format.log;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The numbered history of one namespace. One implementation per commit protocol. Thread-safe. Every
 * method throws {@code NamespaceNotFoundException} if there is no namespace.
 */
public interface ManifestLog {
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
}
