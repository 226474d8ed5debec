package com.namidb.format.wal;

import com.namidb.format.id.NodeId;

/**
 * One record of a segment: a key and either a document or a deletion. The document stays where it
 * is in the segment's bytes. Source: wal §3.
 *
 * @param edgeType edge type, {@code null} for a node record
 * @param key node id, or source of the edge
 * @param partner destination of the edge, {@code null} for a node record
 * @param lsn its LSN, unsigned
 * @param document first byte of the JSON document in the segment
 * @param length bytes of the document, {@link #TOMBSTONE} for a deletion
 */
record WalEntry(String edgeType, NodeId key, NodeId partner, long lsn, int document, int length) {
  /** Length that marks a deletion. */
  static final int TOMBSTONE = -1;

  boolean isTombstone() {
    return length == TOMBSTONE;
  }
}
