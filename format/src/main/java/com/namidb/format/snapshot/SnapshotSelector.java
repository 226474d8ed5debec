package com.namidb.format.snapshot;

/** Which version a reader wants. Contract §4. */
public sealed interface SnapshotSelector {
  /** The newest committed one. */
  record Latest() implements SnapshotSelector {}

  /** A version by number. */
  record AtVersion(long version) implements SnapshotSelector {}

  /** The newest version committed at or before a time, microseconds since 1970 UTC. */
  record AtTime(long micros) implements SnapshotSelector {}
}
