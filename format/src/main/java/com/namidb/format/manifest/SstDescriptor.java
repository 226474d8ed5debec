package com.namidb.format.manifest;

import com.namidb.format.id.KeyRange;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One SST as the manifest describes it: the members a reader needs. Source: manifest §2.5.
 *
 * @param id SST id
 * @param kind what it holds
 * @param scope nodes: empty, or a label for the legacy generation; edges: the edge type
 * @param level LSM level, 0 is the newest
 * @param path raw path relative to the namespace
 * @param sizeBytes exact object size
 * @param counts rows, tombstones, keys
 * @param keys smallest and greatest key, inclusive
 * @param lsns smallest and greatest LSN
 * @param bloom id filter, if one is listed
 * @param labelCounts live rows per label id; empty if the descriptor does not tell
 * @param properties statistics per label and property, as far as listed
 */
public record SstDescriptor(
    UUID id,
    SstKind kind,
    String scope,
    int level,
    String path,
    long sizeBytes,
    Counts counts,
    KeyRange keys,
    LsnRange lsns,
    Optional<Bloom> bloom,
    Optional<Map<Integer, Long>> labelCounts,
    List<PropertyStats> properties) {

  /** Whether every row is a tombstone. */
  public boolean isDeleteFile() {
    return counts.rows() > 0 && counts.rows() == counts.tombstones();
  }

  /**
   * Physical numbers.
   *
   * @param rows all rows, tombstones included
   * @param tombstones rows that delete
   * @param keys distinct keys (nodes: equal to rows)
   */
  public record Counts(long rows, long tombstones, long keys) implements Serializable {}

  /**
   * Unsigned LSN bounds; the upper one may exceed every surviving row.
   *
   * @param min smallest
   * @param max greatest
   */
  public record LsnRange(long min, long max) implements Serializable {}

  /**
   * Where the id filter is.
   *
   * @param path raw path relative to the namespace
   * @param sizeBytes exact object size
   * @param xxh3 trailing checksum of the object, unsigned
   */
  public record Bloom(String path, long sizeBytes, long xxh3) implements Serializable {}
}
