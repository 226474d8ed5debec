package com.namidb.format.record;

/** What a cursor has to fill in; anything not asked for is neither fetched nor decoded. */
public enum Column {
  /** The key halves, and for edges the partner halves. */
  KEY,
  /** The LSN of each record. */
  LSN,
  /** Which records are tombstones. */
  TOMBSTONE,
  /** The label set of each node record. */
  LABELS,
  /** The property object as JSON text. */
  PAYLOAD
}
