package com.namidb.format.scan;

import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.record.SelectedCursor;

/** The records of a cursor one by one, the selected ones where it selects. */
final class CursorRows implements AutoCloseable {
  private final RecordCursor cursor;
  private final SelectedCursor selected;
  private int at = -1;
  private int size;

  private CursorRows(RecordCursor cursor, SelectedCursor selected) {
    this.cursor = cursor;
    this.selected = selected;
  }

  static CursorRows all(RecordCursor cursor) {
    return new CursorRows(cursor, null);
  }

  static CursorRows selected(SelectedCursor cursor) {
    return new CursorRows(cursor, cursor);
  }

  /** Steps to the next record; false at the end. */
  boolean next() {
    at++;
    while (at >= size) {
      if (!cursor.next()) {
        at = 0;
        size = 0;
        return false;
      }
      at = 0;
      size = selected == null ? cursor.batch().size() : selected.selection().size();
    }
    return true;
  }

  RecordBatch batch() {
    return cursor.batch();
  }

  int row() {
    return selected == null ? at : selected.selection().row(at);
  }

  /** By key, then partner, unsigned. */
  int compareTo(CursorRows other) {
    RecordBatch a = batch();
    RecordBatch b = other.batch();
    int i = row();
    int j = other.row();
    int c = NodeId.compare(a.keyHi()[i], a.keyLo()[i], b.keyHi()[j], b.keyLo()[j]);
    return c != 0 || !a.edges()
        ? c
        : NodeId.compare(a.partnerHi()[i], a.partnerLo()[i], b.partnerHi()[j], b.partnerLo()[j]);
  }

  @Override
  public void close() {
    cursor.close();
  }
}
