package com.namidb.format.scan;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import java.util.Arrays;

/** Changed records, copied from both versions into one batch with label ids of the difference. */
final class DiffBatch {
  private static final int PAYLOAD_BYTES = 4 << 20;

  final RecordBatch rows;
  final LabelSets labels = new LabelSets();
  private final RecordChange[] changes;
  private final SliceReader.Origin[] origins;
  private byte[] payload = new byte[0];
  private int used;
  private int size;

  DiffBatch(int capacity, boolean edges) {
    rows = new RecordBatch(capacity, edges);
    changes = new RecordChange[capacity];
    origins = new SliceReader.Origin[capacity];
  }

  void clear() {
    size = 0;
    used = 0;
    rows.resize(0);
  }

  /** Whether both rows of an update still find room. */
  boolean hasRoom() {
    return size + 2 <= rows.capacity() && used < PAYLOAD_BYTES;
  }

  int size() {
    return size;
  }

  RecordChange change(int row) {
    return changes[row];
  }

  SliceReader.Origin origin(int row) {
    return origins[row];
  }

  /**
   * Adds the current record of a side.
   *
   * @param labelSet its label set, numbered in {@link #labels}
   */
  void add(SideRows from, int labelSet, RecordChange change) {
    RecordBatch b = from.batch();
    int i = from.row();
    rows.keyHi()[size] = b.keyHi()[i];
    rows.keyLo()[size] = b.keyLo()[i];
    if (rows.edges()) {
      rows.partnerHi()[size] = b.partnerHi()[i];
      rows.partnerLo()[size] = b.partnerLo()[i];
    }
    rows.lsn()[size] = b.lsn()[i];
    rows.labelSet()[size] = labelSet;
    int length = b.payloadLength()[i];
    rows.payloadLength()[size] = length;
    rows.payloadOffset()[size] = used;
    if (length > 0) {
      room(length);
      System.arraycopy(b.payload(), b.payloadOffset()[i], payload, used, length);
      used += length;
    }
    changes[size] = change;
    origins[size] = from.origin();
    size++;
    rows.resize(size);
    rows.payload(payload);
  }

  private void room(int length) {
    long needed = (long) used + length;
    if (needed > payload.length) {
      long wanted = Math.max(needed, Math.min(2L * payload.length, 2L * PAYLOAD_BYTES));
      payload = Arrays.copyOf(payload, (int) Math.min(Integer.MAX_VALUE - 8, wanted));
    }
  }
}
