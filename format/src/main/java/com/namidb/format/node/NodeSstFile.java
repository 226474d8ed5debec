package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import java.io.Serializable;
import java.util.List;

/**
 * What a reader must know of a node SST beforehand. Everything the descriptor promises is checked
 * against the file, because a Parquet body carries no checksum of its own.
 *
 * @param object key of the Parquet body
 * @param sizeBytes exact object size, so that no HEAD is needed
 * @param rows rows the descriptor promises
 * @param mayHaveTombstones whether the descriptor counts any tombstone
 * @param keys first and last id
 * @param minLsn smallest LSN, unsigned
 * @param maxLsn greatest LSN, unsigned
 * @param typed declared properties of the legacy label-scoped generation (node §4, B); {@code null}
 *     for id-primary
 */
public record NodeSstFile(
    String object,
    long sizeBytes,
    long rows,
    boolean mayHaveTombstones,
    KeyRange keys,
    long minLsn,
    long maxLsn,
    List<TypedColumn> typed)
    implements Serializable {
  /**
   * A {@code prop_<name>} column of the legacy generation.
   *
   * @param name property name
   * @param dataType declared type, as in manifest §2.4; {@code FloatVector} and {@code Int8Vector}
   *     without their length
   */
  public record TypedColumn(String name, String dataType) implements Serializable {}
}
