package com.namidb.format.scan;

import com.namidb.format.manifest.SstDescriptor;
import java.util.List;

/**
 * The slices of one scan and what planning did.
 *
 * @param slices together they emit every live record of the request exactly once
 * @param summary counts for plan text and metrics
 * @param reasons why SSTs are not read, or only for their keys: a line per reason
 * @param settled SSTs of which no slice emits a row, because the caller's rule said that metadata
 *     tells enough
 */
public record ScanPlan(
    List<ScanSlice> slices, Summary summary, List<String> reasons, List<SstDescriptor> settled) {
  /**
   * What planning did. SSTs that are read for their keys only, because they lack the asked label
   * but may hide older versions, are in none of the counts after {@code ssts}.
   *
   * @param ssts SSTs of the target listed by the manifest
   * @param pruned of these, not read at all
   * @param clean read without shadows
   * @param merged read with shadows, or merged by key range
   * @param deleteFiles all-tombstone SSTs applied as shadows
   * @param walRows replayed WAL records of the target, tombstones included; 0 if the WAL is ignored
   * @param rows upper bound of live rows
   * @param bytes bytes of the SSTs that are read
   * @param rowBytes of these, the share of {@code rows}
   */
  public record Summary(
      int ssts,
      int pruned,
      int clean,
      int merged,
      int deleteFiles,
      long walRows,
      long rows,
      long bytes,
      long rowBytes) {}
}
