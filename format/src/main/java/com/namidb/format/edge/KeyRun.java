package com.namidb.format.edge;

/**
 * Consecutive keys to read, as positions in the sections.
 *
 * @param firstKey index of the first key
 * @param endKey index after the last key
 * @param firstByte where their blocks start in PARTNERS
 * @param endByte where their blocks end
 * @param rows rows before, and rows up to the end: ordinals of the first row and of the one after
 *     the last
 */
record KeyRun(long firstKey, long endKey, long firstByte, long endByte, Rows rows) {
  /**
   * Ordinals.
   *
   * @param first of the first row
   * @param end after the last row
   */
  record Rows(long first, long end) {
    long count() {
      return end - first;
    }
  }
}
