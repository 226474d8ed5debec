package com.namidb.format.node;

import com.namidb.format.id.NodeId;
import com.namidb.format.store.ObjectStore;

/** The split-block id filter beside large SSTs, nodes and edges alike. Source: node §7.1. */
public final class BloomFilter {
  private BloomFilter() {}

  /**
   * Reads a listed filter.
   *
   * @throws com.namidb.format.error.CorruptObjectException if it is missing or damaged: the engine
   *     fails too
   */
  public static BloomFilter read(ObjectStore store, String object, long sizeBytes, long xxh3) {
    throw new IllegalStateException("not built yet: " + store + object + sizeBytes + xxh3);
  }

  /** False if the id is certainly not in the SST. */
  public boolean mayContain(NodeId id) {
    throw new IllegalStateException("not built yet: " + id);
  }
}
