package com.namidb.spark.write;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.StagedJob;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.WriteOptions;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/**
 * The driver's side of a write with a name: stages its rows as a part of the job, and publishes
 * them unless the job is a stage that others share. Protocol §2.
 */
final class NamedBatchWrite implements BatchWrite {
  private final WriteOptions options;
  private final StructType schema;
  private final Optional<Snapshot> planned;
  private final Consumer<CommitReceipt> done;
  private WriteJob job;
  private boolean staging;

  NamedBatchWrite(
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
    job = WriteJob.begin(options, schema, planned);
    return new CandidateWriterFactory(job.forTasks());
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    // From here on a failure keeps the files: the job may list them.
    staging = true;
    StagedJob staged = job.stage(NamiBatchWrite.complete(messages));
    if (options.job() instanceof JobName.Stage) {
      return;
    }
    OpenNamespace opened = OpenNamespace.at(options.location());
    CommitReceipt receipt =
        new JobPublishing(opened, options.rules().retries(), false).publish(staged);
    CommitLog.committed(options, receipt);
    done.accept(receipt);
  }

  /** Spark 4.1 and later call this one for some statements; 4.0 never does. */
  @Override
  public void commit(WriterCommitMessage[] messages, WriteSummary summary) {
    commit(messages);
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    if (job != null && !staging) {
      job.discard(NamiBatchWrite.of(messages));
    }
  }
}
