package com.namidb.spark.write.delta;

import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;

/** Plans the writing half of a DELETE, UPDATE or MERGE. Contract §6. */
public final class NamiDeltaWriteBuilder implements DeltaWriteBuilder {
  private final Statement statement;
  private final LogicalWriteInfo info;

  /** Keeps both; columns are looked at when the write is built. */
  public NamiDeltaWriteBuilder(Statement statement, LogicalWriteInfo info) {
    this.statement = statement;
    this.info = info;
  }

  @Override
  public DeltaWrite build() {
    return new NamiDeltaWrite(statement, DeltaShapes.of(statement, info));
  }
}
