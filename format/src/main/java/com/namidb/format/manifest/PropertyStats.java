package com.namidb.format.manifest;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a node SST's descriptor tells of one property on its live rows that carry one label. Source:
 * manifest §2.5, node §7.7.
 *
 * <p>The bounds hold only if all these values are of one type: engines compare values of two types
 * as equal, so that bounds of mixed values may be any of them. Nothing here tells whether they are.
 *
 * @param label label id
 * @param property property name
 * @param nulls of these rows, those without a scalar value
 * @param min lower bound of the scalar values, if one is listed
 * @param max upper bound, if one is listed and short enough to be kept
 * @param distinct estimated number of distinct values, if a sketch is listed
 */
public record PropertyStats(
    int label,
    String property,
    long nulls,
    Optional<Bound> min,
    Optional<Bound> max,
    OptionalLong distinct) {

  /**
   * A scalar.
   *
   * @param type name of its type in the manifest, such as {@code Int64}
   * @param value {@code Boolean}, {@code Long}, {@code Double}, {@code String}, or the list of a
   *     byte string's {@code Integer}s; text and bytes of a lower bound may be cut off at the end
   */
  public record Bound(String type, Object value) {}
}
