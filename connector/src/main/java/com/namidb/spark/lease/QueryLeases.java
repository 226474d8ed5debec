package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.spark.SparkContext;

/** Takes leases for running queries. Contract §4, protocol §8. */
public final class QueryLeases {
  private static Application current;

  private QueryLeases() {}

  /**
   * Keeps the files of a version until the SQL execution this thread works for ends; one lease per
   * execution and version.
   *
   * @param store the namespace's store
   * @param user object that is reachable as long as the version is read, for what runs outside of
   *     an execution
   * @throws com.namidb.format.error.StoreException if the store does not let the lease be written
   * @throws com.namidb.format.error.SnapshotGoneException if the version's files are going already
   */
  public static void hold(Snapshot snapshot, ObjectStore store, Object user) {
    SparkContext context = SparkContext.getOrCreate();
    String id = context.getLocalProperty(Executions.ID);
    Long execution = id == null ? null : Long.valueOf(id);
    of(context)
        .leases()
        .hold(execution, snapshot, user, () -> VersionLease.acquire(snapshot, store));
  }

  private static synchronized Application of(SparkContext context) {
    if (current == null || current.context() != context) {
      ScheduledThreadPoolExecutor schedule =
          new ScheduledThreadPoolExecutor(
              1,
              task -> {
                Thread t = new Thread(task, "namidb-leases");
                t.setDaemon(true);
                return t;
              });
      schedule.setRemoveOnCancelPolicy(true);
      Executions[] followed = new Executions[1];
      HeldLeases leases =
          new HeldLeases(schedule, (execution, why) -> followed[0].cancel(execution, why));
      followed[0] = new Executions(context, leases::ended, leases::close);
      context.addSparkListener(followed[0]);
      current = new Application(context, leases);
    }
    return current;
  }

  private record Application(SparkContext context, HeldLeases leases) {}
}
