package com.namidb.format.retention;

import com.namidb.format.commit.Publisher;
import com.namidb.format.stage.StagedJob;
import java.time.Duration;

/**
 * Who may sleep in the middle of a commit, and take the place after the current version when he
 * wakes up: his files stay, however old. Once another has taken that place, he has to look at his
 * files again, and finds that they are gone. Source: protocol §4, §7.
 */
final class StalledWriters {
  /** From its begin to its last attempt, and what clocks may run apart meanwhile. */
  private static final long UNNAMED_MILLIS = Publisher.UNNAMED.plus(Duration.ofHours(4)).toMillis();

  private static final String WHY =
      " stays: a writer may sleep in the middle of a commit on the current version, until another is"
          + " committed after it";

  private final History history;
  private final boolean nobody;

  /**
   * Makes no request.
   *
   * @param nobody whether the caller knows that nobody uses the namespace
   */
  StalledWriters(History history, boolean nobody) {
    this.history = history;
    this.nobody = nobody;
  }

  static String note(String job) {
    return "job '" + job + "'" + WHY;
  }

  /** Such files are of writes that began less than a day before the current version. */
  static String note(int files) {
    return "what no version names but was written less than a day before the current version"
        + WHY
        + " (files: "
        + files
        + ")";
  }

  /**
   * Whether a write without a name that had a file at this time may stand on the current version.
   */
  boolean maySleep(long modifiedMillis) {
    long current = history.modifiedMillis(history.current());
    return !nobody && (current == Long.MAX_VALUE || current - modifiedMillis <= UNNAMED_MILLIS);
  }

  /** Whether an attempt to publish this job stood on the current version. */
  boolean maySleep(StagedJob job) {
    return !nobody && job.attempts().stream().anyMatch(a -> a.baseVersion() == history.current());
  }
}
