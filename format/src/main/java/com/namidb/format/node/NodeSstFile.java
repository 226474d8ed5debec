package com.namidb.format.node;

import java.io.Serializable;
import java.util.List;

/**
 * What a reader must know of a node SST beforehand.
 *
 * @param object key of the Parquet body
 * @param sizeBytes exact object size, so that no HEAD is needed
 * @param rows rows the descriptor promises
 * @param mayHaveTombstones whether the descriptor counts any tombstone
 * @param typed declared properties of the legacy label-scoped generation (node §4, B); {@code null}
 *     for id-primary
 */
public record NodeSstFile(
    String object, long sizeBytes, long rows, boolean mayHaveTombstones, List<TypedColumn> typed)
    implements Serializable {
  /**
   * A {@code prop_<name>} column of the legacy generation.
   *
   * @param name property name
   * @param dataType declared type, as in manifest §2.4
   */
  public record TypedColumn(String name, String dataType) implements Serializable {}
}
