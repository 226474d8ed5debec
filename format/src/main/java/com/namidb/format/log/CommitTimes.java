package com.namidb.format.log;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Commit times that never fall from one version to the next although the writers' clocks differ,
 * and the version of a time. Source: protocol §9.
 *
 * <p>{@code committed_at} of a version is the running maximum of {@code created_at}. Clocks that
 * differ disturb the order of versions close to each other, so the maximum is taken over the {@link
 * #WINDOW} versions up to it: the same number as over all, unless a clock was ahead for more
 * versions than that, in which case the outlier is forgotten after them instead of hiding every
 * version that follows. A search by time bisects {@code created_at} and then looks back over the
 * window for a later time, so it finds exactly the newest version whose {@code committed_at} is not
 * after the time asked for, under the same condition; without it, still a version for which that
 * holds and whose successor is later.
 *
 * <p>Remembers what it read: use one instance per question.
 */
public final class CommitTimes {
  /** How many versions back a clock that was ahead still counts. */
  public static final int WINDOW = 32;

  private final ManifestLog log;
  private final Map<Long, OptionalLong> created = new HashMap<>();

  /** Makes no request. */
  public CommitTimes(ManifestLog log) {
    this.log = log;
  }

  /** Tells the {@code created_at} of a version that was read anyway. */
  public void know(ManifestRef ref) {
    created.put(ref.version(), OptionalLong.of(ref.createdAtMicros()));
  }

  /**
   * {@code committed_at} of a version in microseconds since 1970 UTC, empty if it is collected. At
   * most {@link #WINDOW} small GETs.
   */
  public OptionalLong committedAtMicros(long version) {
    OptionalLong own = createdAt(version);
    if (own.isEmpty()) {
      return own;
    }
    long max = own.getAsLong();
    for (long v = version; v != 0 && version - v < WINDOW - 1; ) {
      OptionalLong before = createdAt(--v);
      if (before.isEmpty()) {
        break;
      }
      max = Math.max(max, before.getAsLong());
    }
    return OptionalLong.of(max);
  }

  /**
   * The newest version in a range whose {@code committed_at} is at or before a time: about
   * log2(versions) + {@link #WINDOW} small GETs.
   *
   * @param oldest first version of the range
   * @param newest last version of the range
   * @return empty if the first one is later already
   */
  public OptionalLong newestAt(long micros, long oldest, long newest) {
    long early = oldest;
    // Invariant: versions before 'early' are not later than the time, or collected by now; the one
    // after 'late' is later.
    long late = newest + 1;
    if (!isAfter(newest, micros)) {
      early = newest + 1;
    }
    while (early != late) {
      long middle = early + ((late - early) >>> 1);
      if (isAfter(middle, micros)) {
        late = middle;
      } else {
        early = middle + 1;
      }
    }
    long boundary = late;
    for (long v = boundary; v != oldest && boundary - v < WINDOW; ) {
      if (isAfter(--v, micros)) {
        boundary = v;
      }
    }
    return boundary == oldest || createdAt(boundary - 1).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(boundary - 1);
  }

  private boolean isAfter(long version, long micros) {
    OptionalLong at = createdAt(version);
    return at.isPresent() && at.getAsLong() > micros;
  }

  private OptionalLong createdAt(long version) {
    OptionalLong known = created.get(version);
    if (known == null) {
      known = log.createdAtMicros(version);
      created.put(version, known);
    }
    return known;
  }
}
