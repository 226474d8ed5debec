package com.namidb.format.scan;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;

/**
 * Keys whose newest WAL records are not the same in two versions: one has none, or they differ in
 * anything. Both WALs are in memory and in key order, so this reads nothing. Keys of edges are
 * their sources, each told once.
 */
final class WalDiff implements AutoCloseable {
  private final LabelSets labels = new LabelSets();
  private final CursorRows before;
  private final CursorRows after;
  private final boolean everything;
  private boolean started;
  private boolean leftBefore;
  private boolean leftAfter;
  private NodeId key;
  private int records;

  /**
   * Compares.
   *
   * @param ranges keys to look at
   * @param everything whether equal records count as different, too
   */
  WalDiff(TargetWal before, TargetWal after, KeyRanges ranges, boolean everything) {
    this.before = CursorRows.all(before.cursor(labels, ranges));
    this.after = CursorRows.all(after.cursor(labels, ranges));
    this.everything = everything;
  }

  /** Steps to the next key; false at the end. */
  boolean next() {
    NodeId last = key;
    while (step()) {
      if (!key.equals(last)) {
        return true;
      }
    }
    return false;
  }

  /** How many records differ up to here, one for both versions of a node or an edge. */
  int records() {
    return records;
  }

  /** The current key. */
  NodeId key() {
    return key;
  }

  private boolean step() {
    if (!started) {
      started = true;
      leftBefore = before.next();
      leftAfter = after.next();
    }
    while (leftBefore || leftAfter) {
      int c = !leftBefore ? 1 : !leftAfter ? -1 : before.compareTo(after);
      CursorRows at = c <= 0 ? before : after;
      NodeId found = new NodeId(at.batch().keyHi()[at.row()], at.batch().keyLo()[at.row()]);
      boolean differs = c != 0 || everything || !same();
      leftBefore = c <= 0 ? before.next() : leftBefore;
      leftAfter = c >= 0 ? after.next() : leftAfter;
      if (differs) {
        key = found;
        records++;
        return true;
      }
    }
    return false;
  }

  private boolean same() {
    RecordBatch a = before.batch();
    RecordBatch b = after.batch();
    int i = before.row();
    int j = after.row();
    return a.lsn()[i] == b.lsn()[j]
        && a.tombstone()[i] == b.tombstone()[j]
        && a.labelSet()[i] == b.labelSet()[j]
        && StoredContent.sameText(a, i, b, j);
  }

  @Override
  public void close() {
    before.close();
    after.close();
  }
}
