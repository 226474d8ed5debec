package com.namidb.spark.write;

import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** Makes writers that need no row and therefore ask for none. */
final class NoRowsFactory implements DataWriterFactory {
  private static final long serialVersionUID = 1L;

  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    return new NoRows();
  }

  private static final class NoRows implements DataWriter<InternalRow> {
    /** Leaves the rows where they are: sources compute them only when asked. */
    @Override
    public void writeAll(Iterator<InternalRow> rows) {}

    @Override
    public void write(InternalRow row) {}

    @Override
    public WriterCommitMessage commit() {
      return new Nothing();
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
  }

  private static final class Nothing implements WriterCommitMessage {
    private static final long serialVersionUID = 1L;
  }
}
