package com.namidb.format.scan;

import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.function.Supplier;

/** Opens its records at the first call: a shadow that is never reached costs nothing. */
final class LazyCursor implements RecordCursor {
  private final Supplier<Opened> opening;
  private Opened opened;
  private boolean closed;

  LazyCursor(Supplier<Opened> opening) {
    this.opening = opening;
  }

  @Override
  public boolean next() {
    if (closed) {
      return false;
    }
    if (opened == null) {
      opened = opening.get();
    }
    return opened.cursor.next();
  }

  @Override
  public RecordBatch batch() {
    return opened.cursor.batch();
  }

  @Override
  public void close() {
    if (opened != null && !closed) {
      opened.cursor.close();
      opened.reader.run();
    }
    closed = true;
  }

  /**
   * An opened SST.
   *
   * @param cursor its records
   * @param reader closes what the cursor reads from
   */
  record Opened(RecordCursor cursor, Runnable reader) {}
}
