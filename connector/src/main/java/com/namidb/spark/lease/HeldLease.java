package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lease and its renewals, from the first who asks for it until it is released or lost.
 * Thread-safe.
 */
final class HeldLease {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);
  private static final long RETRY_MILLIS = 10_000;

  private final LeaseKey key;
  private final ScheduledExecutorService schedule;
  private final HeldLeases.Canceller canceller;
  private final Consumer<HeldLease> forget;
  private Lease lease;
  private Future<?> next;
  private boolean released;
  private volatile boolean ended;
  private NamiException lost;

  /**
   * Prepares it; {@link #ensure} takes it.
   *
   * @param schedule renews it
   * @param canceller stops its readers if it is lost
   * @param forget called when nobody needs it any more, or it could not be taken
   */
  HeldLease(
      LeaseKey key,
      ScheduledExecutorService schedule,
      HeldLeases.Canceller canceller,
      Consumer<HeldLease> forget) {
    this.key = key;
    this.schedule = schedule;
    this.canceller = canceller;
    this.forget = forget;
  }

  /** Who needs it. */
  LeaseKey key() {
    return key;
  }

  /** Nobody needs it any more: it is not taken if it was not. */
  void end() {
    ended = true;
  }

  /**
   * Takes it unless it is there.
   *
   * @throws NamiException if that failed, now or for whoever asked at the same time; or it is lost
   */
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
      forget.accept(this);
      throw e;
    }
    renewIn(lease.renewAfterMillis());
  }

  /** The same; where that fails, whoever needs it is cancelled. */
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
    Object user = key.user() == null ? null : key.user().get();
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
      forget.accept(this);
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
      forget.accept(this);
    }
  }

  /** Deletes it and ends its renewals; the second time nothing. */
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
