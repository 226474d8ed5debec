package com.namidb.spark.write.task;

import com.namidb.format.stage.RowSorter;
import java.util.Arrays;

/**
 * Lets records with a key of their own pass and hands over all those that share one: nobody knows
 * which of them is right.
 */
final class TwiceSink implements RowSorter.Sink {
  private final RowSorter.Sink single;
  private final RowSorter.Sink shared;
  private byte[] held = new byte[RowSorter.HEAD];
  private int length = -1;
  private boolean twice;

  TwiceSink(RowSorter.Sink single, RowSorter.Sink shared) {
    this.single = single;
    this.shared = shared;
  }

  @Override
  public void accept(byte[] record, int at, int contentLength) {
    if (length >= 0) {
      boolean same = RowSorter.sameKey(record, at, held, 0);
      pass(same || twice);
      twice = same;
    }
    int size = RowSorter.HEAD + contentLength;
    if (held.length < size) {
      held = new byte[(int) Math.min(Integer.MAX_VALUE - 8L, Math.max(size, 2L * held.length))];
    }
    System.arraycopy(record, at, held, 0, size);
    length = contentLength;
  }

  /** Hands the last record over. */
  void finish() {
    if (length >= 0) {
      pass(twice);
      length = -1;
      held = Arrays.copyOf(held, RowSorter.HEAD);
    }
  }

  private void pass(boolean among) {
    (among ? shared : single).accept(held, 0, length);
  }
}
