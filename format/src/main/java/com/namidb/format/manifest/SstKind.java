package com.namidb.format.manifest;

/** What an SST holds. Source: manifest §2.5. */
public enum SstKind {
  /** Node records, all labels. */
  NODES,
  /** Edges of one type ordered by source, then destination. */
  EDGES_FWD,
  /** Edges of one type ordered by destination, then source. */
  EDGES_INV,
  /** A search body or barrier: not graph data, skipped by every reader. */
  OTHER
}
