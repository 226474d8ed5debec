package com.namidb.format.stage;

import com.namidb.format.error.JobErrors;
import java.util.Set;
import java.util.regex.Pattern;

/** Which names jobs may have: each is a folder below {@code bulk/}. Source: protocol §2. */
final class JobNames {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final Set<String> RESERVED = Set.of(".", "..", "floor.json", "sweep.json");

  private JobNames() {}

  /** Whether a job may have this name. */
  static boolean isName(String jobId) {
    return ID.matcher(jobId).matches() && !RESERVED.contains(jobId);
  }

  /**
   * Checks it.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is no name
   */
  static void check(String jobId) {
    if (!isName(jobId)) {
      throw JobErrors.badJobId(jobId);
    }
  }
}
