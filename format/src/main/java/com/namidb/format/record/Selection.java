package com.namidb.format.record;

/** Which records of a batch survive: ascending positions. Reused by its cursor for each batch. */
public final class Selection {
  private final int[] rows;
  private int count;
  private boolean all;

  /**
   * Creates it.
   *
   * @param capacity most records a batch can hold
   */
  public Selection(int capacity) {
    rows = new int[capacity];
  }

  /** Selects the first {@code size} records. */
  public void selectAll(int size) {
    all = true;
    count = size;
  }

  /** Starts with nothing selected; positions are then added in ascending order. */
  public void clear() {
    all = false;
    count = 0;
  }

  /** Adds a position above all added before. */
  public void add(int row) {
    rows[count++] = row;
  }

  /** How many records are selected. */
  public int size() {
    return count;
  }

  /** Whether every record of the batch is selected, so that position i is row i. */
  public boolean all() {
    return all;
  }

  /** The position of the i-th selected record. */
  public int row(int i) {
    return all ? i : rows[i];
  }

  /** Keeps only the selected records that pass; order stays. */
  public void retain(RowTest test) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = all ? i : rows[i];
      if (test.keeps(row)) {
        rows[kept++] = row;
      }
    }
    all = all && kept == count;
    count = kept;
  }

  /** Decides on one record of the current batch. */
  @FunctionalInterface
  public interface RowTest {
    /** Whether the record at this position stays selected. */
    boolean keeps(int row);
  }
}
