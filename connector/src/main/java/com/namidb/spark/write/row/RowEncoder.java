package com.namidb.spark.write.row;

import com.namidb.format.error.InvalidValueException;
import com.namidb.format.error.Where;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.id.EdgeKey;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.RowSorter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Turns rows into sortable records: ids as the key; label count, label ids and property object as
 * the content. Not thread-safe.
 */
public final class RowEncoder {
  /** In place of the number of labels: the node keeps those it has. */
  public static final int KEEP_LABELS = -1;

  private static final int INT = 4;
  private static final int[] NONE = {};

  private final RowShape shape;
  private final Where where;
  private final IdReader first;
  private final IdReader second;
  private final PropertyEncoder properties;
  private final TaskLabels labels;
  private final RequiredProperties required;
  private final KeyDigest.Builder encoded = new KeyDigest.Builder();

  /**
   * Prepares it.
   *
   * @param planned label ids of the job; hold the shape's label
   * @param where names the job in errors
   */
  public RowEncoder(RowShape shape, LabelDictionary planned, Where where) {
    this.shape = shape;
    this.where = where;
    first = new IdReader(shape.first());
    second = shape.edges() ? new IdReader(shape.second()) : null;
    // What a null cell does to a record that exists is decided where the two meet.
    boolean nulls = shape.rules().storeNulls() || shape.patches();
    properties = new PropertyEncoder(shape.properties(), shape.rules(), nulls);
    boolean named = !shape.edges() && !shape.deletes();
    labels = new TaskLabels(planned, named ? shape.scope() : "");
    required = new RequiredProperties(shape.required());
  }

  /**
   * Adds a row to a sorter.
   *
   * @throws InvalidValueException if it cannot be stored
   */
  public void encode(InternalRow row, RowSorter to) {
    try {
      encode(row, null, to);
    } catch (RefusedRowException e) {
      throw error(e);
    }
  }

  /** The error for a row that is refused. */
  public InvalidValueException error(RefusedRowException e) {
    return WriteErrors.row(where, e.row(), e.getMessage());
  }

  /**
   * Adds a row to a sorter.
   *
   * @param original the row to carry along, {@code null} for none
   * @throws RefusedRowException if it cannot be stored; names the row
   */
  public void encode(InternalRow row, UnsafeRow original, RowSorter to) {
    int tail = original == null ? 0 : OriginalRows.length(original);
    NodeId a = null;
    NodeId b = null;
    try {
      a = first.read(row);
      b = second == null ? NodeId.MIN : second.read(row);
      if (shape.deletes()) {
        int at = to.add(a, b, tail);
        if (original != null) {
          OriginalRows.put(original, to.buffer(), at);
        }
        count(encoded, a, b);
        return;
      }
      boolean given = shape.labels() >= 0 && !row.isNullAt(shape.labels());
      boolean keep = shape.patches() && !given && !shape.edges();
      int[] ids = keep ? NONE : labels(row, given);
      required.check(row, ids, labels.dictionary());
      int length = properties.encode(row);
      int at = to.add(a, b, Math.addExact(INT * (1 + ids.length) + length, tail));
      byte[] out = to.buffer();
      at = putLabels(out, at, keep ? KEEP_LABELS : ids.length, ids);
      System.arraycopy(properties.buffer(), 0, out, at, length);
      if (original != null) {
        OriginalRows.put(original, out, at + length);
      }
      count(encoded, a, b);
    } catch (RefusedRowException e) {
      throw e.of(name(a, b));
    }
  }

  private static int putLabels(byte[] out, int start, int count, int[] ids) {
    RowSorter.putInt(out, start, count);
    int at = start + INT;
    for (int id : ids) {
      RowSorter.putInt(out, at, id);
      at += INT;
    }
    return at;
  }

  /**
   * Adds a record whose properties are made elsewhere; its labels are those of the row's cell.
   *
   * @param json its property object
   * @param length length of that, 0 without properties
   * @throws RefusedRowException if labels or required properties do not fit
   */
  void put(InternalRow row, EdgeKey id, byte[] json, int length, RowSorter to) {
    int[] ids = shape.labels() < 0 ? NONE : labels.of(row.getArray(shape.labels()));
    required.check(row, ids, labels.dictionary());
    int at = to.add(id.key(), id.partner(), Math.addExact(INT * (1 + ids.length), length));
    byte[] out = to.buffer();
    at = putLabels(out, at, ids.length, ids);
    System.arraycopy(json, 0, out, at, length);
    count(encoded, id.key(), id.partner());
  }

  /** Adds a key to a digest, as the files' digests have it. */
  public void count(KeyDigest.Builder to, NodeId a, NodeId b) {
    if (shape.edges()) {
      to.add(a.hi(), a.lo(), b.hi(), b.lo());
    } else {
      to.add(a.hi(), a.lo());
    }
  }

  /** Digest of the keys of all rows given to a sorter. */
  public KeyDigest encoded() {
    return encoded.build();
  }

  private int[] labels(InternalRow row, boolean given) {
    return given ? labels.of(row.getArray(shape.labels())) : labels.alone();
  }

  /** A row as errors name it. */
  public String name(NodeId a, NodeId b) {
    if (a == null) {
      return shape.edges() ? "an edge without source" : "a node without id";
    }
    if (!shape.edges()) {
      return "node " + a;
    }
    return b == null ? "an edge of " + a + " without destination" : "edge " + a + " -> " + b;
  }

  /** What is wrong with a key that comes twice. */
  public RefusedRowException twice(byte[] record, int at) {
    NodeId a = NodeId.of(record, at);
    NodeId b = NodeId.of(record, at + NodeId.BYTES);
    return new RefusedRowException("it is in the job twice").of(name(a, b));
  }

  /** Names of the label ids used. */
  public LabelDictionary dictionary() {
    return labels.dictionary();
  }
}
