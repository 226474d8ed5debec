package com.namidb.spark.write.task;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;

/** Makes the writers of task attempts. */
public final class CandidateWriterFactory implements DataWriterFactory {
  private static final long serialVersionUID = 1L;

  private final WritePlan plan;

  /**
   * Travels to tasks with the plan.
   *
   * @param plan of the write
   */
  public CandidateWriterFactory(WritePlan plan) {
    this.plan = plan;
  }

  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    return new CandidateRowWriter(plan);
  }
}
