package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;

/**
 * Who needs a lease, and on what.
 *
 * @param execution id of the SQL execution, {@code null} outside of any
 * @param snapshot the version it reads
 * @param user whoever reads it outside of an execution; {@code null} inside
 */
record LeaseKey(Long execution, Snapshot snapshot, WeakUser user) {
  /** The same for a user that is not wrapped yet. */
  LeaseKey(Long execution, Snapshot snapshot, Object user) {
    this(execution, snapshot, user == null ? null : new WeakUser(user));
  }
}
