package com.namidb.format.snapshot;

/** What a read does with rows that are only in the WAL. Contract §4. */
public enum WalPolicy {
  /** They are part of the snapshot. */
  REPLAY,
  /** They are left out; reported in plan and metrics. */
  IGNORE,
  /** The read fails if the snapshot lists any WAL segment. */
  REQUIRE_EMPTY
}
