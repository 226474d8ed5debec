package com.namidb.spark.write.delta;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;

/** Makes the writers of task attempts of a statement. */
final class DeltaRowWriterFactory implements DeltaWriterFactory {
  private static final long serialVersionUID = 1L;

  private final DeltaPlan plan;

  DeltaRowWriterFactory(DeltaPlan plan) {
    this.plan = plan;
  }

  @Override
  public DeltaWriter<InternalRow> createWriter(int partition, long task) {
    return new DeltaRowWriter(plan);
  }
}
