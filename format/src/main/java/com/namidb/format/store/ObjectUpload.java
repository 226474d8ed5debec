package com.namidb.format.store;

/** A large object written piece by piece; it appears whole at {@link #finish} or not at all. */
public interface ObjectUpload extends AutoCloseable {
  /** Adds bytes; the array may be reused after the call. */
  void write(byte[] bytes, int offset, int length);

  /**
   * Makes the object visible.
   *
   * @return {@code Written}; {@code Refused} if an object of this key is there already; {@code
   *     Unclear}
   */
  PutResult finish();

  /** Drops everything that was not finished; never throws. */
  @Override
  void close();
}
