package com.namidb.format.scan;

/**
 * How many keys changed between two versions.
 *
 * @param inserted visible in the later version only
 * @param updated visible in both, with another content
 * @param deleted visible in the earlier version only
 */
public record DiffCounts(long inserted, long updated, long deleted) {
  /** Nothing changed. */
  public static final DiffCounts NONE = new DiffCounts(0, 0, 0);

  /** The sum of both: slices share no key. */
  public DiffCounts plus(DiffCounts other) {
    return new DiffCounts(
        inserted + other.inserted, updated + other.updated, deleted + other.deleted);
  }
}
