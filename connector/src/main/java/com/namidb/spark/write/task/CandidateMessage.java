package com.namidb.spark.write.task;

import java.util.Arrays;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** A task's report on its way to the driver, as bytes that every serialiser of Spark can carry. */
public final class CandidateMessage implements WriterCommitMessage {
  private static final long serialVersionUID = 1L;

  private final byte[] report;

  CandidateMessage(TaskReport report) {
    this.report = JavaBytes.of(report);
  }

  /** What the task staged. */
  public TaskReport report() {
    return JavaBytes.read(report, TaskReport.class);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CandidateMessage m && Arrays.equals(report, m.report);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(report);
  }
}
