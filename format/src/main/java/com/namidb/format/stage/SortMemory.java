package com.namidb.format.stage;

/**
 * What a sorter of rows may hold in memory. A task sorts at most two sets of rows at a time, and as
 * many tasks run at once as there are cores: all of them together get a third of the heap.
 */
public final class SortMemory {
  private static final long LEAST = 8L << 20;

  /** As much as the default size of a file: what goes into one is then never put aside. */
  private static final long MOST = 128L << 20;

  private SortMemory() {}

  /** The limit of one sorter in this process, in bytes. */
  public static int bytes() {
    Runtime here = Runtime.getRuntime();
    return bytes(here.maxMemory(), here.availableProcessors());
  }

  static int bytes(long heap, int cores) {
    return Math.toIntExact(Math.max(LEAST, Math.min(MOST, heap / (6L * cores))));
  }
}
