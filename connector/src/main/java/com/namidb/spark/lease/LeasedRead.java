package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The partitions planned for one scan of a version, as the driver knows them; tasks never see this.
 * Spark keeps partitions longer than the execution that planned them: in RDDs, in iterators and in
 * cached DataFrames. So the lease is asked for when they are planned and again whenever a stage
 * that may read them is about to start.
 */
public final class LeasedRead {
  private final Application application;
  private final Snapshot snapshot;
  private final OpenNamespace opened;
  private final AtomicBoolean located = new AtomicBoolean();
  private volatile NamiException lost;

  LeasedRead(Application application, Snapshot snapshot, OpenNamespace opened) {
    this.application = application;
    this.snapshot = snapshot;
    this.opened = opened;
  }

  /**
   * The partitions are planned. Takes the lease at once if that is done by a running execution;
   * outside of any, planning may be all that happens, as for EXPLAIN.
   *
   * @throws com.namidb.format.error.StoreException if the store does not let the lease be written
   * @throws com.namidb.format.error.SnapshotGoneException if the version's files are going already
   */
  public void planned() {
    application.planned(this);
  }

  /** Spark asks where a partition should be read, which it does for those that no cache holds. */
  public void located() {
    located.set(true);
  }

  /**
   * A stage that may read the partitions is about to be sent to executors; its lease is there soon.
   *
   * @throws com.namidb.format.error.SnapshotGoneException if the lease that kept the version for
   *     these partitions outside of an execution is lost
   */
  public void starting() {
    if (lost != null) {
      throw lost;
    }
    application.starting(this, located.getAndSet(false));
  }

  Snapshot snapshot() {
    return snapshot;
  }

  boolean isOf(Application other) {
    return application == other;
  }

  Lease acquire() {
    return application.acquire(snapshot, opened);
  }

  /** From now on these partitions are not read any more. */
  void lose(NamiException why) {
    lost = why;
  }

  /** Why the partitions may not be read any more, or {@code null}. */
  NamiException lost() {
    return lost;
  }
}
