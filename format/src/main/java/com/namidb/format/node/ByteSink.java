package com.namidb.format.node;

/** Where a written file goes; {@code ObjectUpload::write} is one. */
@FunctionalInterface
public interface ByteSink {
  /** Adds bytes; the array may be reused after the call. */
  void write(byte[] bytes, int offset, int length);
}
