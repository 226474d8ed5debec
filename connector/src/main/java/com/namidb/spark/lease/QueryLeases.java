package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import org.apache.spark.SparkContext;

/** Takes leases for running queries. Contract §4, protocol §8. */
public final class QueryLeases {
  private static Application current;

  private QueryLeases() {}

  /**
   * A read of a version that is leased while Spark executes it: one lease per execution and
   * version; outside of executions one per read, as long as the read is reachable.
   *
   * @param opened the snapshot's namespace
   */
  public static LeasedRead read(Snapshot snapshot, OpenNamespace opened) {
    return new LeasedRead(of(SparkContext.getOrCreate()), snapshot, opened);
  }

  /**
   * Runs Spark jobs of our own under a lease. If it is lost, the jobs are cancelled and the typed
   * error is thrown instead of Spark's.
   *
   * @param jobs starts the jobs on the calling thread
   * @throws com.namidb.format.error.StoreException if the store does not let the lease be written
   * @throws com.namidb.format.error.SnapshotGoneException if the version's files are going already,
   *     or the lease is lost
   */
  public static void during(Snapshot snapshot, OpenNamespace opened, Runnable jobs) {
    Application application = of(SparkContext.getOrCreate());
    application.during(new LeasedRead(application, snapshot, opened), jobs);
  }

  static synchronized Application of(SparkContext context) {
    if (current == null || !current.isOf(context)) {
      current = Application.of(context, VersionLease::acquire);
    }
    return current;
  }

  /** Lets tests take leases of their own making from now on. */
  static synchronized void use(Application other) {
    current = other;
  }
}
