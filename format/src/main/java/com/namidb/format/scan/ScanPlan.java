package com.namidb.format.scan;

import java.util.List;

/**
 * The slices of one scan and what planning did.
 *
 * @param slices together they emit every live record of the request exactly once
 * @param summary counts for plan text and metrics
 */
public record ScanPlan(List<ScanSlice> slices, Summary summary) {
  /**
   * What planning did.
   *
   * @param ssts SSTs of the target listed by the manifest
   * @param pruned of these, not read at all
   * @param clean read without shadows
   * @param merged read with shadows, or merged by key range
   * @param deleteFiles of these, all-tombstone SSTs applied as shadows
   * @param walRows WAL records of the target, tombstones included
   * @param rows upper bound of live rows
   * @param bytes bytes of the SSTs that are read
   */
  public record Summary(
      int ssts,
      int pruned,
      int clean,
      int merged,
      int deleteFiles,
      long walRows,
      long rows,
      long bytes) {}
}
