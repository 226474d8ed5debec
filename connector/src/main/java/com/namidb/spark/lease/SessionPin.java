package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import java.time.Clock;
import java.time.Duration;

/** The version one session reads of one namespace, and the lease that keeps it. */
final class SessionPin {
  private final Application application;
  private final Snapshot snapshot;
  private final OpenNamespace opened;
  private final Duration maxAge;
  private final String operation;
  private volatile AgedLease lease;
  private volatile NamiException lost;

  /**
   * A pin that is not taken yet.
   *
   * @param operation tag of the Spark Connect operation that asks for it, empty if there is none
   */
  SessionPin(
      Application application,
      Snapshot snapshot,
      OpenNamespace opened,
      Duration maxAge,
      String operation) {
    this.application = application;
    this.snapshot = snapshot;
    this.opened = opened;
    this.maxAge = maxAge;
    this.operation = operation;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  /** Takes the lease; its age counts from now. */
  Lease acquire() {
    lease =
        new AgedLease(application.acquire(snapshot, opened), snapshot, maxAge, Clock.systemUTC());
    return lease;
  }

  void take() {
    application.pin(this);
  }

  void giveUp() {
    application.unpin(this);
  }

  /** The same, on another thread. */
  void giveUpSoon() {
    application.unpinSoon(this);
  }

  /** Whether it was asked for by a Spark Connect operation whose tag begins so. */
  boolean isOf(String operations) {
    return operation.startsWith(operations);
  }

  /** From now on nothing is read under this pin. */
  void lose(NamiException why) {
    lost = why;
  }

  /** Whether only its time is over: queries under way have leases of their own. */
  boolean isTooOld() {
    return lease.isOver();
  }

  /**
   * What it pins.
   *
   * @throws com.namidb.format.error.SnapshotGoneException if the lease is lost
   */
  PinnedVersion version() {
    if (lost != null) {
      throw lost;
    }
    return told();
  }

  /** What it pins or pinned. */
  PinnedVersion told() {
    return new PinnedVersion(snapshot, lease.id());
  }
}
