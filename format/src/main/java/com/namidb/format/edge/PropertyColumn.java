package com.namidb.format.edge;

/** A column of optional texts by row ordinal, decoded page by page. Source: edge §2.8. */
interface PropertyColumn extends AutoCloseable {
  /** Goes to the rows {@code [first, end)}; forward or back. */
  void seek(long first, long end);

  /** Rows left in the current page, loading the next one if there are none. */
  int left();

  /** The buffer that holds the current page; a new page may reuse it. */
  byte[] buffer();

  /**
   * Takes the next {@code n} rows of the current page.
   *
   * @param lengths length of each text, or {@link com.namidb.format.record.RecordBatch#NO_PAYLOAD}
   */
  void take(int n, int[] offsets, int[] lengths);

  @Override
  void close();
}
