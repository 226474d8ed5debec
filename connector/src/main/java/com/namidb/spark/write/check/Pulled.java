package com.namidb.spark.write.check;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** An iterator made of one method, so that results of a task need no memory. */
abstract class Pulled<T> implements Iterator<T> {
  private T next;
  private boolean ended;

  /** The next element, {@code null} at the end; not called again then. */
  abstract T pull();

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      next = pull();
      ended = next == null;
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    T out = next;
    next = null;
    return out;
  }
}
