package com.namidb.spark.write;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;

/** Makes the writers of task attempts. */
final class CandidateWriterFactory implements DataWriterFactory {
  private static final long serialVersionUID = 1L;

  private final WritePlan plan;

  CandidateWriterFactory(WritePlan plan) {
    this.plan = plan;
  }

  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    return new CandidateRowWriter(plan);
  }
}
