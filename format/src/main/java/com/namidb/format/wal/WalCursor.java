package com.namidb.format.wal;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.Arrays;
import java.util.Iterator;

/** Replayed records of the asked key ranges, all columns filled, payloads not copied. */
final class WalCursor implements RecordCursor {
  private static final int BATCH = 4096;

  private final WalRecords records;
  private final LabelSets target;
  private final int[] labelNumbers;
  private final Iterator<KeyRange> ranges;
  private final RecordBatch batch;
  private int at;
  private int end;

  /**
   * Opens it.
   *
   * @param target where label sets are numbered; {@code null} for edges
   */
  WalCursor(WalRecords records, LabelSets target, KeyRanges ranges) {
    this.records = records;
    this.target = target;
    this.labelNumbers = new int[records.labels.size()];
    Arrays.fill(labelNumbers, -1);
    this.ranges = ranges.ranges().iterator();
    this.batch = new RecordBatch(Math.min(BATCH, records.size()), records.partnerHi != null);
  }

  @Override
  public boolean next() {
    while (at >= end) {
      if (!ranges.hasNext()) {
        batch.resize(0);
        return false;
      }
      KeyRange range = ranges.next();
      at = records.lowerBound(range.min());
      end = records.upperBound(range.max());
    }
    int count = rowsOfOneChunk();
    fill(count);
    at += count;
    return true;
  }

  private int rowsOfOneChunk() {
    int limit = Math.min(end - at, batch.capacity());
    int n = 1;
    while (n < limit && records.chunk[at + n] == records.chunk[at]) {
      n++;
    }
    return n;
  }

  private void fill(int count) {
    batch.resize(count);
    System.arraycopy(records.keyHi, at, batch.keyHi(), 0, count);
    System.arraycopy(records.keyLo, at, batch.keyLo(), 0, count);
    if (batch.edges()) {
      System.arraycopy(records.partnerHi, at, batch.partnerHi(), 0, count);
      System.arraycopy(records.partnerLo, at, batch.partnerLo(), 0, count);
    }
    System.arraycopy(records.lsn, at, batch.lsn(), 0, count);
    System.arraycopy(records.tombstone, at, batch.tombstone(), 0, count);
    System.arraycopy(records.offset, at, batch.payloadOffset(), 0, count);
    System.arraycopy(records.length, at, batch.payloadLength(), 0, count);
    batch.payload(records.chunks[records.chunk[at]]);
    boolean any = false;
    for (int i = 0; i < count; i++) {
      any |= records.tombstone[at + i];
      batch.labelSet()[i] = target == null ? LabelSets.EMPTY : number(records.labelSet[at + i]);
    }
    batch.anyTombstone(any);
  }

  private int number(int own) {
    if (labelNumbers[own] < 0) {
      int[] ids = records.labels.ids(own);
      labelNumbers[own] = target.intern(ids, ids.length);
    }
    return labelNumbers[own];
  }

  @Override
  public RecordBatch batch() {
    return batch;
  }

  @Override
  public void close() {}
}
