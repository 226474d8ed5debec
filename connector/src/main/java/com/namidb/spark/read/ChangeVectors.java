package com.namidb.spark.read;

import com.namidb.format.record.Selection;
import com.namidb.format.scan.LiveBatches;
import com.namidb.format.scan.RecordChange;
import java.util.EnumMap;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Columns that tell what a row of changes means. */
final class ChangeVectors {
  private ChangeVectors() {}

  /** {@code _change}. */
  static final class Kinds extends GraphVector {
    private final Map<RecordChange, UTF8String> texts = new EnumMap<>(RecordChange.class);
    private final RecordChange[] changes;

    Kinds(int capacity) {
      super(DataTypes.StringType);
      changes = new RecordChange[capacity];
      for (RecordChange c : RecordChange.values()) {
        texts.put(c, UTF8String.fromString(c.text()));
      }
    }

    @Override
    void fill(LiveBatches rows, int from, int count) {
      Selection selection = rows.selection();
      for (int i = 0; i < count; i++) {
        changes[i] = rows.change(selection.row(from + i));
      }
    }

    @Override
    public UTF8String getUTF8String(int row) {
      return texts.get(changes[row]);
    }
  }

  /** {@code _snapshot_id}: the version the row is of. */
  static final class Versions extends GraphVector {
    private final long before;
    private final long after;
    private final long[] versions;

    Versions(long before, long after, int capacity) {
      super(DataTypes.LongType);
      this.before = before;
      this.after = after;
      versions = new long[capacity];
    }

    @Override
    void fill(LiveBatches rows, int from, int count) {
      Selection selection = rows.selection();
      for (int i = 0; i < count; i++) {
        versions[i] = rows.change(selection.row(from + i)).isBefore() ? before : after;
      }
    }

    @Override
    public long getLong(int row) {
      return versions[row];
    }
  }
}
