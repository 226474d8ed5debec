package com.namidb.format.store;

import java.util.List;

/**
 * What became of a batch of deletions.
 *
 * @param requests how many were sent
 * @param failures keys that are not known to be gone, in the order they were given; empty if all
 *     are
 */
public record DeleteReport(long requests, List<Failure> failures) {
  /** Copies. */
  public DeleteReport {
    failures = List.copyOf(failures);
  }

  /**
   * A key that may still be there.
   *
   * @param key of the object
   * @param reason what the store said, or that it was not asked any more
   */
  public record Failure(String key, String reason) {}
}
