package com.namidb.format.error;

import java.time.Duration;
import java.util.List;

/** Errors of staging and publishing. Contract §6, §10; design §8. */
public final class CommitErrors {
  private static final int SHOWN = 5;
  private static final String KEPT = "Nothing was published; the staged files are kept. ";

  private CommitErrors() {}

  /** Where a job publishes to. */
  public static Where where(String namespace, long version, String object, String jobId) {
    return new Where(namespace, version, object, jobId);
  }

  /** Other commits changed what the job depends on. */
  public static CommitConflictException changed(
      Where where, long readVersion, String reason, List<String> keys) {
    return new CommitConflictException(
        "The job read version "
            + u(readVersion)
            + " and conflicts with a later commit: "
            + reason
            + shown(keys),
        where,
        KEPT
            + "Run the job again: it starts from the newest version. A stage is discarded first, and all"
            + " of its writes staged again.",
        null);
  }

  /** Lost the race as often as it was allowed to try. */
  public static CommitConflictException outOfRetries(Where where, int attempts) {
    return new CommitConflictException(
        "Another writer committed first in each of " + attempts + " attempts",
        where,
        KEPT + "Publish again, or raise commit-retries.",
        null);
  }

  /** The newest version that can be found is one that retention has given up. */
  public static CommitConflictException behindFloor(Where where, long floor) {
    return new CommitConflictException(
        "The newest version that can be found is not above the version floor "
            + u(floor)
            + ": versions up to there may be deleted at any time, so a later one must exist whose"
            + " pointer is not found",
        where,
        KEPT
            + "Publish again. If that does not help, pointers are lost: open the namespace with the"
            + " engine and look at manifest/pointer/.",
        null);
  }

  /** A body without pointer blocks the next version. */
  public static CommitConflictException stalled(Where where) {
    return new CommitConflictException(
        "Another writer left the body of the next version without its pointer, and nobody can"
            + " commit until that is settled",
        where,
        KEPT + "Open the namespace once with the engine, which repairs it, then publish again.",
        null);
  }

  /** The outcome could not be found out. */
  public static CommitUnknownException unknown(Where where, String evidence, Throwable cause) {
    String job = where.jobId() == null ? "" : where.jobId();
    return new CommitUnknownException(
        "Whether the commit took effect is unknown: " + evidence,
        where,
        "Do not write the rows again and delete nothing before you know. Ask, in some minutes and as"
            + " often as you like, with com.namidb.spark.job.Jobs.at(options).verifyCommit(\""
            + job
            + "\") or CALL nami.system.verify_commit(namespace => '"
            + where.namespace()
            + "', job_id => '"
            + job
            + "'). A write with a job-id may simply be run again under it: it settles this first and"
            + " never commits twice.",
        cause);
  }

  /** Checks found problems. */
  public static ValidationFailedException invalid(Where where, List<String> problems) {
    return invalid(where, problems, KEPT);
  }

  /** Checks of a whole stage found problems, and it takes no more rows. */
  public static ValidationFailedException invalidStage(Where where, List<String> problems) {
    return invalid(where, problems, "Nothing was published. " + stageAgain(where));
  }

  private static ValidationFailedException invalid(
      Where where, List<String> problems, String first) {
    return new ValidationFailedException(
        "Staged rows are refused" + shown(problems),
        where,
        first + BrokenRule.remedies(problems),
        null);
  }

  private static String stageAgain(Where where) {
    return "The stage is closed and takes no more rows: discard it with CALL"
        + " nami.system.discard(namespace => '"
        + where.namespace()
        + "', stage => '"
        + where.jobId()
        + "') or Jobs.discard, and stage its writes again. ";
  }

  /** A staged object is not what its writer reported. */
  public static ValidationFailedException staged(Where where, String detail) {
    return new ValidationFailedException(
        "A staged file is not as it was written: " + detail,
        where,
        KEPT + "Something else wrote or deleted below bulk/; write the job again.",
        null);
  }

  /** A job without a name took so long that its files may be taken for orphans. */
  public static ValidationFailedException tooOld(Where where, Duration limit) {
    return new ValidationFailedException(
        "The write began more than " + limit.toHours() + " hours ago",
        where,
        KEPT
            + "Write with a job-id or into a stage: the files of those stay as long as they may be"
            + " published.",
        null);
  }

  /** Node rows meet search indexes. */
  public static ValidationFailedException searchIndexes(Where where, List<String> names) {
    return new ValidationFailedException(
        "Nodes would be added to a namespace with vector or text indexes" + shown(names),
        where,
        KEPT
            + "Write with search-indexes=retire: searches stay exact (by scanning) and the engine"
            + " rebuilds the indexes at its next compaction.",
        null);
  }

  /** An edge type whose files the engine would lose. */
  public static ValidationFailedException badEdgeType(Where where, String type) {
    return new ValidationFailedException(
        "Edges of type '"
            + type
            + "' cannot be written: its name has a character that object keys"
            + " encode, and the engine's janitor deletes live files with such names",
        where,
        KEPT + "Use an edge type of ASCII letters, digits and characters that need no encoding.",
        null);
  }

  /** LSNs would come near their end. */
  public static ValidationFailedException lsnExhausted(Where where, long floor) {
    return new ValidationFailedException(
        "The LSNs of the namespace have reached " + u(floor) + " and rows above 2^62 are refused",
        where,
        KEPT + "Export the graph into a new namespace.",
        null);
  }

  /** The files' LSN was overtaken and they are too large to rewrite here. */
  public static CommitConflictException overtaken(Where where, long bytes, long limit) {
    return new CommitConflictException(
        "Another job committed with higher LSNs or other label ids, so "
            + bytes
            + " bytes of staged files must be rewritten, more than the "
            + limit
            + " that are rewritten while committing",
        where,
        KEPT + "Publish with rewrite => true, which rewrites them as a Spark job.",
        null);
  }

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

  /** The store broke a promise commits rely on. */
  public static StoreUnsafeException unsafe(Where where, String broken) {
    return new StoreUnsafeException(
        "The object store cannot be written to safely: " + broken,
        where,
        "Nothing was written. Use a store that honours If-None-Match and If-Match, also when many"
            + " write at once.",
        null);
  }

  private static String shown(List<String> items) {
    if (items.isEmpty()) {
      return "";
    }
    List<String> some = items.subList(0, Math.min(SHOWN, items.size()));
    int more = items.size() - some.size();
    return ": " + String.join("; ", some) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String u(long number) {
    return Long.toUnsignedString(number);
  }
}
