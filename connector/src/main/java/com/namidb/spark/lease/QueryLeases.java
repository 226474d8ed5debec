package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import org.apache.spark.SparkContext;

/** Takes leases for running queries. Contract §4, protocol §8. */
public final class QueryLeases {
  private static Application current;

  private QueryLeases() {}

  /**
   * Keeps the files of a version until the SQL execution this thread works for ends; one lease per
   * execution and version.
   *
   * @param opened the snapshot's namespace
   * @param user object that is reachable as long as the version is read, for what runs outside of
   *     an execution
   * @throws com.namidb.format.error.StoreException if the store does not let the lease be written
   * @throws com.namidb.format.error.SnapshotGoneException if the version's files are going already
   */
  public static void hold(Snapshot snapshot, OpenNamespace opened, Object user) {
    of(SparkContext.getOrCreate()).hold(snapshot, opened, user);
  }

  private static synchronized Application of(SparkContext context) {
    if (current == null || !current.isOf(context)) {
      current = Application.of(context);
    }
    return current;
  }
}
