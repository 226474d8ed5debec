package com.namidb.format.commit;

import com.namidb.format.log.CommitProbe;
import com.namidb.format.log.CommitTiming;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How to publish.
 *
 * @param retries further attempts after a lost race
 * @param backoff longest pause after the first loss; doubles up to a hundred times that
 * @param rewriteLimit most bytes of candidates to write again within the loop
 * @param clock time for {@code created_at} and reports
 * @param random jitter
 * @param sleeper pauses
 * @param probe told of every step
 */
public record CommitSettings(
    int retries,
    Duration backoff,
    long rewriteLimit,
    Clock clock,
    RandomGenerator random,
    CommitTiming.Sleeper sleeper,
    CommitProbe probe) {
  /** Twenty retries, 50 ms, 1 GiB, real time. */
  public static CommitSettings standard() {
    return new CommitSettings(
        20,
        Duration.ofMillis(50),
        1L << 30,
        Clock.systemUTC(),
        new java.security.SecureRandom(),
        CommitTiming.SYSTEM.sleeper(),
        CommitProbe.NONE);
  }

  /** A random pause after that many losses. */
  Duration pause(int losses) {
    long limit = backoff.toNanos() * Math.min(100L, 1L << Math.min(losses, 7));
    return Duration.ofNanos(limit <= 0 ? 0 : random.nextLong(limit + 1));
  }
}
