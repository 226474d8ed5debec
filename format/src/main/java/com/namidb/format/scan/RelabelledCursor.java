package com.namidb.format.scan;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.Arrays;

/**
 * Node records with their effective label sets: ids the dictionary does not know are dropped, and a
 * record of a label-scoped SST without any known label has the label of the SST. Source: manifest
 * §5.6, node §4.
 */
final class RelabelledCursor implements RecordCursor {
  private final RecordCursor cursor;
  private final LabelSets labels;
  private final int known;
  private final int legacyLabel;
  private int[] effective = new int[0];
  private int[] rows = new int[0];
  private RecordBatch view;

  /**
   * Wraps a cursor.
   *
   * @param known label ids from here on are unknown
   * @param legacyLabel id for records without a known label, or {@link SliceFile#NOT_LEGACY}
   */
  RelabelledCursor(RecordCursor cursor, LabelSets labels, int known, int legacyLabel) {
    this.cursor = cursor;
    this.labels = labels;
    this.known = known;
    this.legacyLabel = legacyLabel;
  }

  @Override
  public boolean next() {
    if (!cursor.next()) {
      return false;
    }
    RecordBatch batch = cursor.batch();
    if (rows.length < batch.capacity()) {
      rows = new int[batch.capacity()];
    }
    for (int i = 0; i < batch.size(); i++) {
      rows[i] = effective(batch.labelSet()[i]);
    }
    view = batch.withLabelSets(rows);
    return true;
  }

  private int effective(int stored) {
    if (stored >= effective.length) {
      int from = effective.length;
      effective = Arrays.copyOf(effective, Math.max(stored + 1, 2 * from));
      Arrays.fill(effective, from, effective.length, -1);
    }
    if (effective[stored] < 0) {
      int[] ids = labels.ids(stored);
      int[] out = new int[ids.length + 1];
      int n = 0;
      for (int id : ids) {
        if (id >= 0 && id < known) {
          out[n++] = id;
        }
      }
      if (n == 0 && legacyLabel != SliceFile.NOT_LEGACY) {
        out[n++] = legacyLabel;
      }
      effective[stored] = labels.intern(out, n);
    }
    return effective[stored];
  }

  @Override
  public RecordBatch batch() {
    return view;
  }

  @Override
  public void close() {
    cursor.close();
  }
}
