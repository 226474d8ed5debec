package com.namidb.spark.write.delta;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.NamiException;
import com.namidb.spark.write.publish.CommitLog;
import com.namidb.spark.write.task.TaskMessages;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's side of one DELETE, UPDATE or MERGE; without a coordinator as every write. */
final class NamiDeltaBatchWrite implements DeltaBatchWrite {
  private static final Logger LOG = LoggerFactory.getLogger(NamiDeltaBatchWrite.class);

  private final Statement statement;
  private final DeltaShapes shapes;
  private final Consumer<CommitReceipt> done;
  private DeltaJob job;
  private boolean staging;

  NamiDeltaBatchWrite(Statement statement, DeltaShapes shapes, Consumer<CommitReceipt> done) {
    this.statement = statement;
    this.shapes = shapes;
    this.done = done;
  }

  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    job = DeltaJob.begin(statement, shapes);
    CommitLog.begun(statement.target(), job.where());
    return new DeltaRowWriterFactory(job.forTasks());
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    try {
      publish(messages);
    } catch (NamiException e) {
      throw e.at(job.where());
    }
  }

  private void publish(WriterCommitMessage[] messages) {
    List<DeltaMessage.Reports> reports =
        TaskMessages.complete(messages, DeltaMessage.class, DeltaMessage::reports);
    // From here on a failure keeps the files: they may be visible, or are there to be looked at.
    staging = true;
    Optional<CommitReceipt> receipt = job.publish(reports);
    if (receipt.isEmpty()) {
      LOG.info("No row of {} to change: nothing was committed", statement.target());
      return;
    }
    CommitLog.committed(shapes.deletes().options(), receipt.get());
    done.accept(receipt.get());
  }

  /** Spark 4.1 and later call this one for MERGE; 4.0 never does. */
  @Override
  public void commit(WriterCommitMessage[] messages, WriteSummary summary) {
    commit(messages);
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    if (job != null && !staging) {
      CommitLog.aborted(statement.target(), job.where());
      job.discard(TaskMessages.arrived(messages, DeltaMessage.class, DeltaMessage::reports));
    }
  }
}
