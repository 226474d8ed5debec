package com.namidb.spark.write;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.CommitConflictException;
import com.namidb.format.error.InvalidOptionException;
import com.namidb.format.error.JobErrors;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StagedJob;
import com.namidb.spark.metrics.WriteMetrics;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.write.publish.CommitLog;
import com.namidb.spark.write.publish.JobPublishing;
import com.namidb.spark.write.publish.NamedJobs;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * A write whose job has all of its rows staged, or took effect already. Asks for no distribution,
 * so that Spark does not sample the query, and its tasks take no row, so that sources are not read.
 * Spark offers no way to leave the query out altogether. Protocol §2.
 */
final class RerunWrite implements Write, BatchWrite {
  private final WriteOptions options;
  private final JobName.Job name;
  private CommitReceipt receipt;

  RerunWrite(WriteOptions options, JobName.Job name) {
    this.options = options;
    this.name = name;
  }

  @Override
  public BatchWrite toBatch() {
    return this;
  }

  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    StagedJob job = job();
    if (job.phase() == JobPhase.PUBLISHING) {
      // What cannot be settled fails here, before any task runs.
      publishing().settle(job);
    }
    return new NoRowsFactory();
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    StagedJob job = job();
    boolean before = job.phase() == JobPhase.PUBLISHED;
    CommitReceipt r;
    try {
      r = publishing().publish(job);
    } catch (CommitConflictException | InvalidOptionException e) {
      // Runs of one job at once: the first one that commits is the commit of all of them.
      r = publishing().publish(NamedJobs.committed(options).orElseThrow(() -> e));
      before = true;
    }
    if (before) {
      CommitLog.again(options, r);
    } else {
      CommitLog.committed(options, r);
    }
    keep(r);
  }

  /** Spark 4.1 and later call this one for some statements; 4.0 never does. */
  @Override
  public void commit(WriterCommitMessage[] messages, WriteSummary summary) {
    commit(messages);
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    // Nothing was done; the staged files stay for the next run.
  }

  private StagedJob job() {
    return NamedJobs.staged(options, name)
        .orElseThrow(() -> JobErrors.rerun(options.location().paths().namespace(), name.id()));
  }

  private JobPublishing publishing() {
    return new JobPublishing(
        OpenNamespace.at(options.location()), options.rules().retries(), false);
  }

  private synchronized void keep(CommitReceipt r) {
    receipt = r;
  }

  @Override
  public String description() {
    return "namidb "
        + options.location().paths().namespace()
        + " "
        + options.target()
        + " rerun of job "
        + name.id();
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return WriteMetrics.all();
  }

  @Override
  public synchronized CustomTaskMetric[] reportDriverMetrics() {
    return CommitLog.metrics(receipt);
  }

  @Override
  public String toString() {
    return description();
  }
}
