package com.namidb.spark.write.delta;

import com.namidb.spark.write.task.JavaBytes;
import com.namidb.spark.write.task.TaskReport;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** What a task of a statement staged, as bytes that every serialiser of Spark can carry. */
final class DeltaMessage implements WriterCommitMessage {
  private static final long serialVersionUID = 1L;

  private final byte[] reports;

  /**
   * What a task staged.
   *
   * @param deletes {@code null} if there were no such rows; likewise the others
   */
  record Reports(TaskReport deletes, TaskReport updates, TaskReport inserts)
      implements Serializable {}

  DeltaMessage(Reports reports) {
    this.reports = JavaBytes.of(reports);
  }

  Reports reports() {
    return JavaBytes.read(reports, Reports.class);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof DeltaMessage m && Arrays.equals(reports, m.reports);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(reports);
  }
}
