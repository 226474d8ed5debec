package com.namidb.format.scan;

import com.namidb.format.manifest.LabelDictionary;
import java.util.List;

/**
 * The slices of one difference and what planning did.
 *
 * @param slices together they give every changed key exactly once; key ranges of their own
 * @param labels names of the label ids that readers of the slices show
 * @param summary counts for plan text and metrics
 */
public record DiffPlan(List<DiffSlice> slices, LabelDictionary labels, Summary summary) {
  /**
   * What planning did.
   *
   * @param ssts SSTs of the target listed by either version
   * @param differing of these, in one version only: their keys may have changed
   * @param shared in both, but looked up, because a changed key may have a version there
   * @param pruned not read at all
   * @param walRecords nodes or edges whose newest records in the two WALs differ
   * @param rows upper bound of rows, two for an update
   * @param bytes estimated bytes to read
   */
  public record Summary(
      int ssts, int differing, int shared, int pruned, int walRecords, long rows, long bytes) {}
}
