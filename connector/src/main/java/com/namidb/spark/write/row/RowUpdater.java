package com.namidb.spark.write.row;

import com.namidb.format.error.Where;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.id.EdgeKey;
import com.namidb.format.id.NodeId;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.value.InvalidJsonException;
import com.namidb.format.value.PropertyPatch;
import com.namidb.spark.read.StoredValues;
import java.util.BitSet;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Makes the new record of an updated row: the stored object with the values that differ from what
 * the statement read, and nothing else touched. Not thread-safe.
 */
public final class RowUpdater {
  private static final byte[] NO_BYTES = {};

  private final RowShape shape;
  private final Where where;
  private final RowEncoder encoder;
  private final IdReader first;
  private final IdReader second;
  private final PropertyEncoder properties;
  private final PropertyPatch patch;
  private final StoredValues stored;
  private final RowIds old;

  /**
   * Prepares it.
   *
   * @param shape of the new rows
   * @param encoder of the new rows
   * @param ids shape of the ids of the rows that are updated
   * @param stored tells what differs from the stored object
   */
  public RowUpdater(
      RowShape shape, RowEncoder encoder, RowShape ids, StoredValues stored, Where where) {
    this.shape = shape;
    this.encoder = encoder;
    this.stored = stored;
    this.where = where;
    old = new RowIds(ids);
    first = new IdReader(shape.first());
    second = shape.edges() ? new IdReader(shape.second()) : null;
    // What a null cell does to a record is decided where the two meet.
    properties = new PropertyEncoder(shape.properties(), shape.rules(), true);
    patch =
        new PropertyPatch(
            shape.properties().stream().map(PropertyColumn::name).toList(),
            !shape.rules().storeNulls());
  }

  /**
   * Adds an updated row.
   *
   * @param id its ids before
   * @param json the object stored before, {@code null} for none
   * @param row all columns as they are to be
   * @throws com.namidb.format.error.InvalidValueException if it cannot be stored
   */
  public void update(InternalRow id, byte[] json, InternalRow row, RowSorter to) {
    EdgeKey key = old.read(id);
    String name = encoder.name(key.key(), key.partner());
    try {
      NodeId a = first.read(row);
      NodeId b = second == null ? NodeId.MIN : second.read(row);
      if (!key.equals(new EdgeKey(a, b))) {
        throw new RefusedRowException(
            "its id would become another: ids cannot be changed, so delete the row and insert one");
      }
      if (shape.labels() >= 0 && row.isNullAt(shape.labels())) {
        throw new RefusedRowException("_labels is null; array() means no label");
      }
      BitSet changed = stored.changed(json, row);
      byte[] record = json == null ? NO_BYTES : json;
      int length = record.length;
      if (!changed.isEmpty()) {
        int size = properties.encode(row, changed);
        patch.values(properties.buffer(), 0, size);
        length = patch.apply(record, 0, record.length);
        record = patch.buffer();
      }
      encoder.put(row, key, record, length, to);
    } catch (RefusedRowException e) {
      throw e.of(name).changed(where);
    } catch (InvalidJsonException e) {
      throw WriteErrors.unreadable(where, name, e.getMessage(), e);
    }
  }
}
