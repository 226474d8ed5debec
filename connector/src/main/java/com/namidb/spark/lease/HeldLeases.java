package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The leases of one application: one per execution and version, renewed by a schedule until the
 * execution ends. What runs outside an execution (the RDD interface, a local iterator) keeps its
 * lease until its user is released or no longer reachable.
 */
final class HeldLeases {
  private static final int ENDED_KEPT = 4096;

  private final ScheduledExecutorService schedule;
  private final Canceller canceller;
  private final Map<LeaseKey, HeldLease> held = new HashMap<>();

  /** Executions that ended last: a thread of theirs may still be planning, as broadcasts do. */
  private final LinkedHashSet<Long> over = new LinkedHashSet<>();

  private boolean closed;

  /** Stops what reads a version that may be gone. */
  interface Canceller {
    /** Cancels all jobs of an execution. */
    void cancel(long execution, String reason);

    /**
     * Cancels all jobs of a user outside of executions.
     *
     * @param forGood whether the user may not read the version any more, whatever comes
     */
    void cancel(Object user, NamiException why, boolean forGood);
  }

  HeldLeases(ScheduledExecutorService schedule, Canceller canceller) {
    this.schedule = schedule;
    this.canceller = canceller;
  }

  /**
   * Takes a lease unless this execution already has one on this version, or has ended: nobody would
   * release it then.
   *
   * @param execution id of the SQL execution, {@code null} outside of any
   * @param user object that is reachable as long as the version is read outside of an execution
   */
  void hold(Long execution, Snapshot snapshot, Object user, Supplier<Lease> acquire) {
    LeaseKey key = new LeaseKey(execution, snapshot, execution == null ? user : null);
    HeldLease h;
    synchronized (this) {
      if (closed || over.contains(execution)) {
        return;
      }
      h = held.computeIfAbsent(key, this::lease);
    }
    h.ensure(acquire);
  }

  /**
   * As {@link #hold}, but takes the lease soon and on the schedule's thread. Where that fails, the
   * execution is cancelled if it needs the lease, and goes on if it has all rows in a cache.
   */
  void holdSoon(long execution, Snapshot snapshot, Supplier<Lease> acquire, boolean needed) {
    holdSoon(new LeaseKey(execution, snapshot, (WeakUser) null), acquire, needed);
  }

  /** As the other, for a user outside of executions. */
  void holdSoon(Snapshot snapshot, Object user, Supplier<Lease> acquire, boolean needed) {
    holdSoon(new LeaseKey(null, snapshot, user), acquire, needed);
  }

  private void holdSoon(LeaseKey key, Supplier<Lease> acquire, boolean needed) {
    HeldLease h;
    synchronized (this) {
      if (closed || over.contains(key.execution())) {
        return;
      }
      // In the map at once: an execution that ends before its lease is taken must find it there.
      h = held.computeIfAbsent(key, this::lease);
    }
    schedule.execute(() -> h.ensureOrCancel(acquire, needed));
  }

  /** Whether an execution has ended. */
  synchronized boolean isOver(long execution) {
    return over.contains(execution);
  }

  /** Releases all leases of an execution, and those of users that are no longer reachable. */
  void ended(long execution) {
    synchronized (this) {
      over.add(execution);
      if (over.size() > ENDED_KEPT) {
        over.remove(over.iterator().next());
      }
    }
    releaseIf(
        key -> key.user() == null ? Objects.equals(key.execution(), execution) : key.user().gone());
  }

  /** Releases all leases of a user outside of executions. */
  void release(Object user) {
    releaseIf(key -> key.user() != null && key.user().is(user));
  }

  /** The same, on this thread: afterwards the leases are gone. */
  void releaseNow(Object user) {
    taken(key -> key.user() != null && key.user().is(user)).forEach(HeldLease::release);
  }

  /** Cancels all executions that read a version whose files nothing keeps any more. */
  void cancelReaders(Snapshot snapshot, String reason) {
    List<Long> executions = new ArrayList<>();
    synchronized (this) {
      held.keySet().stream()
          .filter(key -> key.execution() != null && key.snapshot().equals(snapshot))
          .forEach(key -> executions.add(key.execution()));
    }
    executions.forEach(execution -> canceller.cancel(execution, reason));
  }

  private void releaseIf(Predicate<LeaseKey> which) {
    // Deleting a lease is a request: not on Spark's listener thread.
    taken(which).forEach(h -> schedule.execute(h::release));
  }

  private List<HeldLease> taken(Predicate<LeaseKey> which) {
    List<HeldLease> out = new ArrayList<>();
    synchronized (this) {
      held.values().removeIf(h -> which.test(h.key()) && out.add(h));
    }
    // Known at once to a lease that is still to be taken.
    out.forEach(HeldLease::end);
    return out;
  }

  /** Releases everything; later calls of {@link #hold} do nothing. */
  void close() {
    List<HeldLease> out;
    synchronized (this) {
      closed = true;
      out = new ArrayList<>(held.values());
      held.clear();
    }
    out.forEach(HeldLease::release);
    schedule.shutdown();
  }

  /** How many leases are held, for tests. */
  synchronized int size() {
    return held.size();
  }

  private HeldLease lease(LeaseKey key) {
    return new HeldLease(key, schedule, canceller, this::forget);
  }

  private synchronized void forget(HeldLease h) {
    held.remove(h.key(), h);
  }
}
