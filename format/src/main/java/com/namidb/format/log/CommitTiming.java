package com.namidb.format.log;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Clock, sleep and limits of publishing.
 *
 * @param nanos a monotonic clock
 * @param sleeper waits
 * @param fresh how long a resolved version may be committed on without asking again
 * @param patience how long to wait for the pointer of another writer's body
 */
public record CommitTiming(LongSupplier nanos, Sleeper sleeper, Duration fresh, Duration patience) {
  /** Real time; five minutes and one minute, as protocol §4 and manifest §4.4 say. */
  public static final CommitTiming SYSTEM =
      new CommitTiming(
          System::nanoTime, CommitTiming::park, Duration.ofMinutes(5), Duration.ofMinutes(1));

  /** Waits. */
  @FunctionalInterface
  public interface Sleeper {
    /** Returns after about this long, or earlier if the thread is interrupted. */
    void sleep(Duration time);
  }

  private static void park(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !Thread.currentThread().isInterrupted(); ) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }
}
