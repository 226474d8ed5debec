package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;

/**
 * One row to write, filled in again for each: an upsert with everything the node has, or a
 * tombstone. Arrays are not copied and must not change before the row is added.
 */
public final class NodeRow {
  private static final int[] NO_LABELS = new int[0];
  private static final byte[] NO_BYTES = new byte[0];

  private long hi;
  private long lo;
  private long lsn;
  private boolean tombstone;
  private int[] labels = NO_LABELS;
  private int labelCount;
  private byte[] json = NO_BYTES;
  private int jsonOffset;
  private int jsonLength = RecordBatch.NO_PAYLOAD;
  private long schemaVersion;

  /**
   * Starts an upsert: no labels and no properties yet.
   *
   * @param schemaVersion 1 as Cypher writes it, or what a folded record carried
   */
  public NodeRow upsert(long hi, long lo, long lsn, long schemaVersion) {
    this.hi = hi;
    this.lo = lo;
    this.lsn = lsn;
    this.schemaVersion = schemaVersion;
    tombstone = false;
    labelCount = 0;
    jsonLength = RecordBatch.NO_PAYLOAD;
    return this;
  }

  /** A tombstone: the whole node is deleted. Source: node §3.2. */
  public NodeRow tombstone(long hi, long lo, long lsn) {
    upsert(hi, lo, lsn, 0);
    tombstone = true;
    return this;
  }

  /** Sets the label ids, ascending and distinct; the first {@code count} entries. */
  public NodeRow labels(int[] ids, int count) {
    labels = ids;
    labelCount = count;
    return this;
  }

  /** Sets the property object; leave it out for a node without properties. */
  public NodeRow properties(byte[] buffer, int offset, int length) {
    json = buffer;
    jsonOffset = offset;
    jsonLength = length;
    return this;
  }

  /** Bytes 0..7 of the id. */
  public long hi() {
    return hi;
  }

  /** Bytes 8..15 of the id. */
  public long lo() {
    return lo;
  }

  /** Its LSN, unsigned. */
  public long lsn() {
    return lsn;
  }

  /** Whether the row deletes. */
  public boolean isTombstone() {
    return tombstone;
  }

  /** Label ids, the first {@link #labelCount}; not to be modified. */
  public int[] labels() {
    return labels;
  }

  /** How many label ids there are. */
  public int labelCount() {
    return labelCount;
  }

  byte[] json() {
    return json;
  }

  int jsonOffset() {
    return jsonOffset;
  }

  int jsonLength() {
    return jsonLength;
  }

  long schemaVersion() {
    return schemaVersion;
  }
}
