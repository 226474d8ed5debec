package com.namidb.format.record;

/**
 * Records of one source in strictly ascending key order (nodes: id; edges: key, then partner). A
 * cursor opened for key ranges emits every record inside them and may emit others too: callers test
 * exactly.
 */
public interface RecordCursor extends AutoCloseable {
  /**
   * Loads the next non-empty batch.
   *
   * @return false at the end
   */
  boolean next();

  /** The current batch; valid until {@link #next} or {@link #close}. */
  RecordBatch batch();

  /** Frees buffers and connections; never throws. */
  @Override
  void close();
}
