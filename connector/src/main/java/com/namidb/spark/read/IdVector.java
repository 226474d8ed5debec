package com.namidb.spark.read;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.IdText;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.LiveBatches;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code _id}, {@code _src} or {@code _dst}, as text or as 16 bytes. Runs of the same id, as edges
 * of one source have them, share one text.
 */
final class IdVector extends GraphVector {
  private final boolean partner;
  private final boolean text;
  private final int width;
  private final byte[] bytes;
  private final int[] slots;

  /**
   * Creates it.
   *
   * @param partner whether the second half of an edge's key is shown
   */
  IdVector(DataType type, boolean partner, int capacity) {
    super(type);
    this.partner = partner;
    text = type instanceof StringType;
    width = text ? NodeId.TEXT_LENGTH : NodeId.BYTES;
    bytes = new byte[width * capacity];
    slots = new int[capacity];
  }

  @Override
  void fill(LiveBatches rows, int from, int count) {
    RecordBatch batch = rows.batch();
    Selection selection = rows.selection();
    long[] his = partner ? batch.partnerHi() : batch.keyHi();
    long[] los = partner ? batch.partnerLo() : batch.keyLo();
    int slot = -1;
    long hi = 0;
    long lo = 0;
    for (int i = 0; i < count; i++) {
      int row = selection.row(from + i);
      if (slot < 0 || his[row] != hi || los[row] != lo) {
        hi = his[row];
        lo = los[row];
        slot++;
        put(hi, lo, slot * width);
      }
      slots[i] = slot * width;
    }
  }

  private void put(long hi, long lo, int at) {
    if (text) {
      IdText.write(hi, lo, bytes, at);
    } else {
      IdBytes.putLong(bytes, at, hi);
      IdBytes.putLong(bytes, at + 8, lo);
    }
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return UTF8String.fromBytes(bytes, slots[row], width);
  }

  @Override
  public byte[] getBinary(int row) {
    return Arrays.copyOfRange(bytes, slots[row], slots[row] + width);
  }
}
