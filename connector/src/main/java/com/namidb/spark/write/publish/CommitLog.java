package com.namidb.spark.write.publish;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.Where;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.spark.metrics.WriteMetrics;
import com.namidb.spark.options.WriteOptions;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of commits: one line of the driver's log, and metrics. */
public final class CommitLog {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLog.class);

  private static final int REASONS = 5;

  private CommitLog() {}

  /** A write begins: the name to ask for it by, should its driver die. */
  public static void begun(Object target, Where where) {
    LOG.info(
        "Write job {} of {} begins on version {} of '{}'",
        where.jobId(),
        target,
        Long.toUnsignedString(where.version()),
        where.namespace());
  }

  /** Spark gave a write up because of its query or a task, whose error may not tell the job. */
  public static void aborted(Object target, Where where) {
    LOG.warn(
        "Write job {} of {} in '{}' was given up before publishing: nothing of it is visible",
        where.jobId(),
        target,
        where.namespace());
  }

  /** A write took effect; its receipt may warn of something. */
  public static void committed(WriteOptions options, CommitReceipt r) {
    r.warnings().forEach(w -> LOG.warn("Version {}: {}", Long.toUnsignedString(r.version()), w));
    tell("Committed", options, r);
  }

  /**
   * Rows are staged and not visible yet.
   *
   * @param folder where those are that were set aside
   */
  static void staged(
      WriteOptions options, String job, Balance balance, QuarantineReport aside, String folder) {
    LOG.info("Staged {} in '{}', not visible yet: {}", options.target(), job, balance);
    if (aside.rows() > 0) {
      LOG.warn(
          "Job '{}': {} rows of {} are quarantined in {}: {}",
          job,
          aside.rows(),
          options.target(),
          folder,
          aside.top(REASONS));
    }
  }

  /** A rerun found the commit of an earlier run. */
  public static void again(WriteOptions options, CommitReceipt r) {
    tell("Nothing to do, an earlier run committed", options, r);
  }

  private static void tell(String what, WriteOptions options, CommitReceipt r) {
    LOG.info(
        "{} version {} of '{}' from job {}: {}, {} files, {} bytes, attempt {}, nodes {}, edges {},"
            + " {} nodes and {} edges deleted",
        what,
        Long.toUnsignedString(r.version()),
        options.location().paths().namespace(),
        r.job(),
        r.balance(),
        r.files().size(),
        r.bytes(),
        r.attempts(),
        r.nodes().text(),
        r.edges().text(),
        r.deletedNodes(),
        r.deletedEdges());
  }

  /** What a receipt tells, nothing without one. */
  public static CustomTaskMetric[] metrics(CommitReceipt r) {
    return r == null
        ? new CustomTaskMetric[0]
        : WriteMetrics.of(
            r.version(),
            r.balance().accepted(),
            r.balance().quarantined(),
            r.files().size(),
            r.bytes());
  }
}
