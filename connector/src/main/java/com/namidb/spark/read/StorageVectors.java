package com.namidb.spark.read;

import com.namidb.format.error.RowErrors;
import com.namidb.format.id.Lsn;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.LiveBatches;
import com.namidb.format.scan.SliceReader;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Columns that tell where and when a row was stored. */
final class StorageVectors {
  private StorageVectors() {}

  /** {@code _lsn}; a row whose LSN does not fit a signed long fails the query. */
  static final class Lsns extends GraphVector {
    private final RowNames rowNames;
    private final long[] values;

    Lsns(RowNames rowNames, int capacity) {
      super(DataTypes.LongType);
      this.rowNames = rowNames;
      values = new long[capacity];
    }

    @Override
    void fill(LiveBatches rows, int from, int count) {
      RecordBatch batch = rows.batch();
      Selection selection = rows.selection();
      for (int i = 0; i < count; i++) {
        long lsn = batch.lsn()[selection.row(from + i)];
        if (!Lsn.fitsSigned(lsn)) {
          throw RowErrors.lsnTooLarge(rowNames.of(from + i), lsn);
        }
        values[i] = lsn;
      }
    }

    @Override
    public long getLong(int row) {
      return values[row];
    }
  }

  /** {@code _sst} and {@code _level}: null for WAL rows. */
  static final class Origins extends GraphVector {
    private final SliceReader.Origin[] origins;
    private int rows;
    private String lastId;
    private UTF8String lastText;

    Origins(DataType type, int capacity) {
      super(type);
      origins = new SliceReader.Origin[capacity];
    }

    @Override
    void fill(LiveBatches batches, int from, int count) {
      rows = count;
      Selection selection = batches.selection();
      for (int i = 0; i < count; i++) {
        origins[i] = batches.origin(selection.row(from + i));
      }
    }

    @Override
    public boolean isNullAt(int row) {
      return origins[row].sst() == null;
    }

    @Override
    public boolean hasNull() {
      return numNulls() > 0;
    }

    @Override
    public int numNulls() {
      int n = 0;
      for (int i = 0; i < rows; i++) {
        n += isNullAt(i) ? 1 : 0;
      }
      return n;
    }

    @Override
    public UTF8String getUTF8String(int row) {
      String id = origins[row].sst();
      if (!Objects.equals(id, lastId)) {
        lastId = id;
        lastText = UTF8String.fromString(id);
      }
      return lastText;
    }

    @Override
    public int getInt(int row) {
      return origins[row].level();
    }
  }

  /** A column with one value: {@code _type} or {@code _snapshot_id}. */
  static final class Constants extends GraphVector {
    private final UTF8String text;
    private final long number;

    private Constants(DataType type, UTF8String text, long number) {
      super(type);
      this.text = text;
      this.number = number;
    }

    static Constants text(String value) {
      return new Constants(DataTypes.StringType, UTF8String.fromString(value), 0);
    }

    static Constants number(long value) {
      return new Constants(DataTypes.LongType, null, value);
    }

    @Override
    void fill(LiveBatches rows, int from, int count) {
      // the same for every row
    }

    @Override
    public UTF8String getUTF8String(int row) {
      return text;
    }

    @Override
    public long getLong(int row) {
      return number;
    }
  }

  /** {@code _json}: the stored property object; an empty one if the record has no properties. */
  static final class Payloads extends GraphVector {
    private static final UTF8String EMPTY = UTF8String.fromString("{}");

    private final int[] offsets;
    private final int[] lengths;
    private byte[] buffer = new byte[0];

    Payloads(int capacity) {
      super(DataTypes.StringType);
      offsets = new int[capacity];
      lengths = new int[capacity];
    }

    @Override
    void fill(LiveBatches batches, int from, int count) {
      RecordBatch batch = batches.batch();
      Selection selection = batches.selection();
      buffer = batch.payload();
      for (int i = 0; i < count; i++) {
        int row = selection.row(from + i);
        offsets[i] = batch.payloadOffset()[row];
        lengths[i] = batch.payloadLength()[row];
      }
    }

    @Override
    public boolean isNullAt(int row) {
      return false;
    }

    @Override
    public boolean hasNull() {
      return false;
    }

    @Override
    public int numNulls() {
      return 0;
    }

    @Override
    public UTF8String getUTF8String(int row) {
      return lengths[row] == RecordBatch.NO_PAYLOAD
          ? EMPTY
          : UTF8String.fromBytes(buffer, offsets[row], lengths[row]);
    }
  }
}
