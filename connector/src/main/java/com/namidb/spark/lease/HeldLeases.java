package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.snapshot.Snapshot;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of one application: one per execution and version, renewed by a schedule until the
 * execution ends. What runs outside an execution (the RDD interface, a local iterator) keeps its
 * lease until its user is released or no longer reachable.
 */
final class HeldLeases {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLeases.class);
  private static final long RETRY_MILLIS = 10_000;
  private static final int ENDED_KEPT = 4096;

  private final ScheduledExecutorService schedule;
  private final Canceller canceller;
  private final Map<Key, Held> held = new HashMap<>();

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
    Key key = new Key(execution, snapshot, execution == null ? user : null);
    Held h;
    synchronized (this) {
      if (closed || over.contains(execution)) {
        return;
      }
      h = held.computeIfAbsent(key, Held::new);
    }
    h.ensure(acquire);
  }

  /**
   * As {@link #hold}, but takes the lease soon and on the schedule's thread. Where that fails, the
   * execution is cancelled if it needs the lease, and goes on if it has all rows in a cache.
   */
  void holdSoon(long execution, Snapshot snapshot, Supplier<Lease> acquire, boolean needed) {
    holdSoon(new Key(execution, snapshot, (WeakUser) null), acquire, needed);
  }

  /** As the other, for a user outside of executions. */
  void holdSoon(Snapshot snapshot, Object user, Supplier<Lease> acquire, boolean needed) {
    holdSoon(new Key(null, snapshot, user), acquire, needed);
  }

  private void holdSoon(Key key, Supplier<Lease> acquire, boolean needed) {
    Held h;
    synchronized (this) {
      if (closed || over.contains(key.execution())) {
        return;
      }
      // In the map at once: an execution that ends before its lease is taken must find it there.
      h = held.computeIfAbsent(key, Held::new);
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
    taken(key -> key.user() != null && key.user().is(user)).forEach(Held::release);
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

  private void releaseIf(Predicate<Key> which) {
    // Deleting a lease is a request: not on Spark's listener thread.
    taken(which).forEach(h -> schedule.execute(h::release));
  }

  private List<Held> taken(Predicate<Key> which) {
    List<Held> out = new ArrayList<>();
    synchronized (this) {
      held.values().removeIf(h -> which.test(h.key) && out.add(h));
    }
    // Known at once to a lease that is still to be taken.
    out.forEach(h -> h.ended = true);
    return out;
  }

  /** Releases everything; later calls of {@link #hold} do nothing. */
  void close() {
    List<Held> out;
    synchronized (this) {
      closed = true;
      out = new ArrayList<>(held.values());
      held.clear();
    }
    out.forEach(Held::release);
    schedule.shutdown();
  }

  /** How many leases are held, for tests. */
  synchronized int size() {
    return held.size();
  }

  private synchronized void forget(Held h) {
    held.remove(h.key, h);
  }

  private record Key(Long execution, Snapshot snapshot, WeakUser user) {
    Key(Long execution, Snapshot snapshot, Object user) {
      this(execution, snapshot, user == null ? null : new WeakUser(user));
    }
  }

  /** Compares users by identity without keeping them. */
  private static final class WeakUser {
    private final WeakReference<Object> user;
    private final int hash;

    WeakUser(Object user) {
      this.user = new WeakReference<>(user);
      this.hash = System.identityHashCode(user);
    }

    boolean gone() {
      return user.get() == null;
    }

    boolean is(Object other) {
      return user.get() == other;
    }

    @Override
    public boolean equals(Object o) {
      Object mine = user.get();
      return this == o || (o instanceof WeakUser w && mine != null && mine == w.user.get());
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** One lease and its renewals. */
  private final class Held {
    private final Key key;
    private Lease lease;
    private Future<?> next;
    private boolean released;
    private volatile boolean ended;
    private NamiException lost;

    Held(Key key) {
      this.key = key;
    }

    synchronized void ensure(Supplier<Lease> acquire) {
      if (lost != null) {
        throw lost;
      }
      if (lease != null || released || ended) {
        return;
      }
      try {
        lease = acquire.get();
      } catch (NamiException e) {
        // Whoever waits for this lease gets the same answer; whoever comes later asks again.
        lost = e;
        forget(this);
        throw e;
      }
      renewIn(lease.renewAfterMillis());
    }

    void ensureOrCancel(Supplier<Lease> acquire, boolean needed) {
      try {
        ensure(acquire);
      } catch (NamiException e) {
        if (needed) {
          LOG.error("No lease on {}", key.snapshot(), e);
          cancel(e, false);
        } else {
          LOG.warn("No lease on {}; going on with what is cached", key.snapshot(), e);
        }
      }
    }

    private void cancel(NamiException why, boolean forGood) {
      Object user = key.user() == null ? null : key.user().user.get();
      if (key.execution() != null) {
        canceller.cancel(key.execution(), why.getMessage());
      } else if (user != null) {
        canceller.cancel(user, why, forGood);
      }
    }

    private void renewIn(long millis) {
      if (!schedule.isShutdown()) {
        next = schedule.schedule(this::renew, millis, TimeUnit.MILLISECONDS);
      }
    }

    private synchronized void renew() {
      if (released) {
        return;
      }
      if (key.user() != null && key.user().gone()) {
        forget(this);
        release();
        return;
      }
      try {
        if (lease.renew()) {
          renewIn(lease.renewAfterMillis());
        } else {
          lose();
        }
      } catch (RuntimeException e) {
        // The lease itself says when it is lost; until then every failure may pass.
        LOG.warn("A lease on {} could not be renewed yet; trying again", key.snapshot(), e);
        renewIn(RETRY_MILLIS);
      }
    }

    private void lose() {
      lost = lease.lost();
      LOG.error("{}", lost.getMessage());
      cancel(lost, true);
      if (key.execution() == null) {
        // Nothing else would: no execution ends.
        forget(this);
      }
    }

    synchronized void release() {
      if (!released) {
        released = true;
        if (next != null) {
          next.cancel(false);
        }
        if (lease != null) {
          lease.release();
        }
      }
    }
  }
}
