package com.namidb.spark.write;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.CommitConflictException;
import com.namidb.format.error.JobPublishedException;
import com.namidb.format.error.NamiException;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.StagedJob;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.write.publish.CommitLog;
import com.namidb.spark.write.publish.JobPublishing;
import com.namidb.spark.write.publish.NamedJobs;
import com.namidb.spark.write.publish.WriteJob;
import com.namidb.spark.write.task.CandidateMessage;
import com.namidb.spark.write.task.CandidateWriterFactory;
import com.namidb.spark.write.task.TaskMessages;
import com.namidb.spark.write.task.TaskReport;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's side of one write: stages its rows as a part of its job, and publishes them unless
 * the job is a stage that others share. Without Spark's commit coordinator: attempts never share a
 * name, so that a second one does no harm, and a coordinator would fail the job where it cannot
 * decide.
 */
final class NamiBatchWrite implements BatchWrite {
  private static final Logger LOG = LoggerFactory.getLogger(NamiBatchWrite.class);

  private final WriteOptions options;
  private final StructType schema;
  private final Optional<Snapshot> planned;
  private final Consumer<CommitReceipt> done;
  private WriteJob job;
  private boolean staging;
  // Set if another run of the job committed before this one computed anything.
  private StagedJob before;

  NamiBatchWrite(
      WriteOptions options,
      StructType schema,
      Optional<Snapshot> planned,
      Consumer<CommitReceipt> done) {
    this.options = options;
    this.schema = schema;
    this.planned = planned;
    this.done = done;
  }

  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    try {
      job = WriteJob.begin(options, schema, planned);
    } catch (CommitConflictException | JobPublishedException e) {
      before = NamedJobs.committed(options).orElseThrow(() -> e);
      return new NoRowsFactory();
    }
    CommitLog.begun(options.target(), job.where());
    return new CandidateWriterFactory(job.forTasks());
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    if (before != null) {
      again(before);
      return;
    }
    try {
      publish(messages);
    } catch (NamiException e) {
      throw e.at(job.where());
    }
  }

  private void publish(WriterCommitMessage[] messages) {
    // From here on a failure keeps the files: they may be visible, or are there to be looked at.
    staging = true;
    List<TaskReport> reports =
        TaskMessages.complete(messages, CandidateMessage.class, CandidateMessage::report);
    if (options.job() instanceof JobName.Stage) {
      job.stage(reports);
      return;
    }
    Optional<CommitReceipt> receipt;
    try {
      receipt = job.publish(reports);
    } catch (CommitConflictException | JobPublishedException e) {
      // Runs of one job at once: the first one that commits is the commit of all of them.
      again(NamedJobs.committed(options).orElseThrow(() -> e));
      return;
    }
    if (receipt.isEmpty()) {
      LOG.info("No row to write to {}: nothing was committed", options.target());
      return;
    }
    CommitReceipt r = receipt.get();
    CommitLog.committed(options, r);
    done.accept(r);
  }

  private void again(StagedJob published) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    CommitReceipt r = new JobPublishing(opened, 0, false).publish(published);
    CommitLog.again(options, r);
    done.accept(r);
  }

  /** Spark 4.1 and later call this one for some statements; 4.0 never does. */
  @Override
  public void commit(WriterCommitMessage[] messages, WriteSummary summary) {
    commit(messages);
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    if (job != null && !staging) {
      CommitLog.aborted(options.target(), job.where());
      job.discard(TaskMessages.arrived(messages, CandidateMessage.class, CandidateMessage::report));
    }
  }
}
