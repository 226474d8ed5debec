package com.namidb.format.error;

/** Errors of jobs and stages: names, and steps at the wrong time. Contract §6, §10; design §8. */
public final class JobErrors {
  private JobErrors() {}

  /** A job is not in the state that the step needs. */
  public static InvalidOptionException jobState(Where where, String state, String step) {
    return new InvalidOptionException(
        "A job that is " + state + " cannot " + step,
        where,
        "Look at it with CALL nami.system.staged, or Jobs.staged(); verify_commit, or verifyCommit,"
            + " settles a job that is PUBLISHING.",
        null);
  }

  /**
   * A step of a job that took effect already.
   *
   * @param version version it was published as, unsigned
   * @param step e.g. {@code "take more rows"}
   */
  public static JobPublishedException published(Where where, long version, String step) {
    return new JobPublishedException(
        "The job took effect as version " + u(version) + " and cannot " + step + " any more",
        where,
        "Its receipt is there: CALL nami.system.staged, or Jobs.staged(), and the table receipts"
            + " show it. For other rows choose another name.",
        null);
  }

  /** Another driver runs the same job, or publishes it at this moment. */
  public static CommitConflictException takenOver(Where where, String step) {
    return new CommitConflictException(
        "Another driver began the job anew or is publishing it, so this run cannot " + step,
        where,
        "Nothing of this run was published. Let the other one finish, then run this write again under"
            + " its job-id, or publish its stage again: that does nothing if the other one committed,"
            + " and completes or repeats the job if not.",
        null);
  }

  /** A job was given up. */
  public static InvalidOptionException discarded(Where where, String step) {
    return new InvalidOptionException(
        "The job or stage was discarded and cannot " + step,
        where,
        "Write again under this name: that begins it anew.",
        null);
  }

  /** A published job cannot be taken back. */
  public static InvalidOptionException staysPublished(Where where, long version) {
    return new InvalidOptionException(
        "The job or stage is published as version "
            + u(version)
            + " and stays, so it cannot be"
            + " discarded",
        where,
        "Its files belong to the graph. To take its rows back, delete them by a write of their own;"
            + " older versions still show the graph without them.",
        null);
  }

  /**
   * A job took effect in a history that is not the graph's any more.
   *
   * @param reason what is known of it
   */
  public static InvalidOptionException undone(Where where, String reason) {
    return new InvalidOptionException(
        "The job cannot be run again under its name: " + reason,
        where,
        "Its rows are not in the graph. Write them again under another name.",
        null);
  }

  /** A job changed between the planning of its rerun and its end. */
  public static InvalidOptionException rerun(String namespace, String jobId) {
    return new InvalidOptionException(
        "The job was discarded or begun afresh while this rerun was under way",
        new Where(namespace, null, null, jobId),
        "Nothing was written by this run. Run the write again.",
        null);
  }

  /** There is no such job or stage. */
  public static InvalidOptionException noJob(Where where) {
    return new InvalidOptionException(
        "There is no stage or job of that name",
        where,
        "Look at the names with CALL nami.system.staged, or Jobs.staged(); a stage begins with the"
            + " first write that names it.",
        null);
  }

  /** There is only a folder of that name: a write without a name did not get to its end. */
  public static InvalidOptionException leftovers(Where where) {
    return new InvalidOptionException(
        "There is no stage or job of that name, only files that a write without a name left behind",
        where,
        "The newest version lists none of them, so nobody reads them. CALL"
            + " nami.system.clean_staging(namespace => '"
            + where.namespace()
            + "') collects them, once no write can be under way any more.",
        null);
  }

  /** A write without a name that took effect cannot be given up. */
  public static InvalidOptionException committedUnnamed(Where where) {
    return new InvalidOptionException(
        "The write of that id has no name to discard, and it was committed",
        where,
        "Delete its rows with write-mode=delete, or read the version before.",
        null);
  }

  /** A job of a single write was not staged completely. */
  public static InvalidOptionException unfinished(Where where) {
    return new InvalidOptionException(
        "The job is a single write that never staged all of its rows",
        where,
        "Run the write again with the same job-id; only stages are published by name.",
        null);
  }

  /** A write goes to a stage that takes no more. */
  public static InvalidOptionException stageClosed(Where where, String phase) {
    return new InvalidOptionException(
        "The stage is " + phase + " and takes no more rows",
        where,
        phase.equals("PUBLISHED")
            ? "Choose another stage name."
            : "Publish or discard it first; a discarded name may be used again.",
        null);
  }

  /** A stage without any write. */
  public static ValidationFailedException emptyStage(Where where) {
    return new ValidationFailedException(
        "Nothing is staged", where, "Write to the stage first, or discard it.", null);
  }

  /** A job id is used for something else. */
  public static InvalidOptionException otherJob(Where where, String was, String is) {
    return new InvalidOptionException(
        "The job id is already bound to " + was + " and cannot be used for " + is,
        where,
        "Choose another job-id; several writes of one backfill share a stage, not a job-id.",
        null);
  }

  /** A job id nobody can store. */
  public static InvalidOptionException badJobId(String jobId) {
    return new InvalidOptionException(
        "'" + jobId + "' is no job id",
        Where.UNKNOWN,
        "A job id has 1 to 128 of the characters A-Z a-z 0-9 . _ - and is not '.' or '..'.",
        null);
  }

  private static String u(long number) {
    return Long.toUnsignedString(number);
  }
}
