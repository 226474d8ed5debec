package com.namidb.format.store.s3;

import java.time.Duration;

/**
 * How long requests may take and how often reads are tried.
 *
 * @param connect until a connection stands
 * @param idle longest silence on a connection
 * @param attempt one attempt of a request, its body included; a write that got no answer by then is
 *     unclear. Far below the ten minutes after which nobody waits for an own write any more
 * @param call all attempts of one request
 * @param attempts of a request that may be repeated
 * @param pause before the second attempt; grows from there, with jitter
 */
record S3Timing(
    Duration connect,
    Duration idle,
    Duration attempt,
    Duration call,
    int attempts,
    Duration pause) {
  static final S3Timing DEFAULT =
      new S3Timing(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          8,
          Duration.ofMillis(100));
}
