package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.spark.SparkContext;

/** Leases of one Spark application: brings together what Spark does and what is held. */
final class Application implements RunningJobs.Follower, HeldLeases.Canceller {
  private final SparkContext context;
  private final Taker taker;
  private final HeldLeases leases;
  private final RunningJobs running;

  /** Takes a lease. */
  @FunctionalInterface
  interface Taker {
    /**
     * Takes a lease on a version.
     *
     * @param application who it is for, for people who list leases
     */
    Lease take(Snapshot snapshot, OpenNamespace opened, String application);
  }

  private Application(SparkContext context, Taker taker) {
    this.context = context;
    this.taker = taker;
    ScheduledThreadPoolExecutor schedule =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              // Without the thread locals of whoever comes first: one of them is Spark's session.
              Thread t = new Thread(null, task, "namidb-leases", 0, false);
              t.setDaemon(true);
              return t;
            });
    schedule.setRemoveOnCancelPolicy(true);
    this.leases = new HeldLeases(schedule, this);
    this.running = new RunningJobs(context::cancelJob, this);
  }

  /** Follows an application from now on. */
  static Application of(SparkContext context, Taker taker) {
    Application out = new Application(context, taker);
    context.addSparkListener(out.running);
    context.addSparkListener(new ConnectSessions(NotebookPins::ended));
    return out;
  }

  boolean isOf(SparkContext other) {
    return context == other;
  }

  void planned(LeasedRead read) {
    String id = context.getLocalProperty(RunningJobs.EXECUTION);
    if (id != null) {
      leases.hold(Long.valueOf(id), read.snapshot(), null, read::acquire);
    }
  }

  void starting(LeasedRead read, boolean needed) {
    // By way of Spark's events, which tell whose stage this is.
    context.listenerBus().post(new ReadStarts(read, needed));
  }

  void during(LeasedRead read, Runnable jobs) {
    OwnJobs user = new OwnJobs(UUID.randomUUID().toString());
    leases.hold(null, read.snapshot(), user, read::acquire);
    String before = context.getLocalProperty(RunningJobs.OWN);
    context.setLocalProperty(RunningJobs.OWN, user.id);
    try {
      jobs.run();
    } catch (Exception e) {
      // Spark throws checked exceptions without saying so.
      if (user.lost != null) {
        throw user.lost;
      }
      throw e;
    } finally {
      context.setLocalProperty(RunningJobs.OWN, before);
      running.finished(user.id);
      leases.release(user);
    }
  }

  void pin(SessionPin pin) {
    leases.hold(null, pin.snapshot(), pin, pin::acquire);
  }

  void unpin(SessionPin pin) {
    leases.releaseNow(pin);
  }

  void unpinSoon(SessionPin pin) {
    leases.release(pin);
  }

  Lease acquire(Snapshot snapshot, OpenNamespace opened) {
    return taker.take(snapshot, opened, context.applicationId());
  }

  @Override
  public void reads(RunningJobs.Job job, LeasedRead read, boolean needed) {
    if (!read.isOf(this)) {
      return;
    }
    if (isOutside(job)) {
      if (read.lost() == null) {
        leases.holdSoon(read.snapshot(), read, read::acquire, needed);
      } else {
        // Lost since the stage was sent.
        running.cancelReading(read, read.lost().getMessage());
      }
    } else {
      leases.holdSoon(job.execution(), read.snapshot(), read::acquire, needed);
    }
  }

  /**
   * Python's local iterator and others name an execution that has ended: nothing would end a lease
   * of that execution, and between two jobs of the iterator nothing would hold one.
   */
  @Override
  public boolean isOutside(RunningJobs.Job job) {
    return job.execution() == null || leases.isOver(job.execution());
  }

  @Override
  public void executionEnded(long execution) {
    leases.ended(execution);
  }

  @Override
  public void closed() {
    leases.close();
  }

  @Override
  public void cancel(long execution, String reason) {
    running.cancel(execution, reason);
  }

  @Override
  public void cancel(Object user, NamiException why, boolean forGood) {
    if (user instanceof LeasedRead read) {
      if (forGood) {
        read.lose(why);
      }
      running.cancelReading(read, why.getMessage());
    } else if (user instanceof OwnJobs jobs) {
      jobs.lost = why;
      running.cancel(jobs.id, why.getMessage());
    } else if (user instanceof SessionPin pin) {
      pin.lose(why);
      if (!pin.isTooOld()) {
        leases.cancelReaders(pin.snapshot(), why.getMessage());
      }
    }
  }

  /** Jobs of our own. */
  private static final class OwnJobs {
    private final String id;
    private volatile NamiException lost;

    OwnJobs(String id) {
      this.id = id;
    }
  }
}
