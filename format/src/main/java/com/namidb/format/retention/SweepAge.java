package com.namidb.format.retention;

import com.namidb.format.error.RetentionErrors;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How old things must be to go. Source: protocol §7.
 *
 * @param olderThanMillis what the caller wants, milliseconds since 1970 UTC; empty for the default
 *     of what is asked for
 * @param allowUnsafe whether less than the hard minimum age is allowed: only while nobody at all
 *     reads or writes the namespace
 */
public record SweepAge(OptionalLong olderThanMillis, boolean allowUnsafe) {
  /** Nothing younger is ever deleted, unless that is allowed in words. */
  public static final Duration MINIMUM = Duration.ofHours(24);

  /** The defaults. */
  public static final SweepAge STANDARD = new SweepAge(OptionalLong.empty(), false);

  /** The clock that gave a time may be ahead of the store's by so much. */
  private static final long CLOCKS_MILLIS = 60_000;

  /**
   * Objects modified after this stay, whatever else is asked for.
   *
   * @param now by the store's clock
   */
  long hardMillis(long now) {
    return allowUnsafe ? now : now - MINIMUM.toMillis();
  }

  /** The time asked for, or now less the default; never later than {@link #hardMillis}. */
  long cutoffMillis(long now, Duration standard) {
    long asked = olderThanMillis.orElse(now - standard.toMillis());
    if (asked > now + CLOCKS_MILLIS) {
      throw RetentionErrors.future(asked, now);
    }
    return Math.min(asked, hardMillis(now));
  }
}
