package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;

/**
 * A version that a session is pinned to.
 *
 * @param snapshot the version
 * @param leaseId name of the lease below {@code manifest/pins/}
 */
public record PinnedVersion(Snapshot snapshot, String leaseId) {}
