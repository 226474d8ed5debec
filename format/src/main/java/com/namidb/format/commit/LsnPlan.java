package com.namidb.format.commit;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestCheck;
import java.util.random.RandomGenerator;

/**
 * Chooses the one LSN of all rows of a job: far above everything present, so that commits of others
 * in between do not force a rewrite, and by a random part apart from jobs planned on the same
 * version. Source: manifest §4.7 R2, protocol §3.
 */
public final class LsnPlan {
  /** Distance of a single write. */
  public static final long WRITE_GAP = 1L << 32;

  /** Distance of a named stage, which may take days. */
  public static final long STAGE_GAP = 1L << 40;

  private LsnPlan() {}

  /**
   * The LSN.
   *
   * @param base version the job is planned on
   * @param gap one of the two distances
   * @throws com.namidb.format.error.ValidationFailedException if it would reach 2^62
   */
  public static long choose(Where where, Manifest base, long gap, RandomGenerator random) {
    long floor = base.lsnFloor();
    if (floor < 0 || floor >= ManifestCheck.LSN_LIMIT - 2 * gap - 1) {
      throw CommitErrors.lsnExhausted(where, floor);
    }
    return floor + 1 + gap + random.nextLong(gap);
  }

  /** Whether rows with this LSN win over everything of a version. */
  static boolean isAbove(long lsn, Manifest base) {
    return Long.compareUnsigned(lsn, base.lsnFloor()) > 0;
  }
}
