package com.namidb.spark.write.task;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.scan.OrderedRows;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.value.InvalidJsonException;
import com.namidb.format.value.PropertyPatch;
import com.namidb.spark.write.row.PropertyColumn;
import com.namidb.spark.write.row.RowEncoder;
import com.namidb.spark.write.row.RowShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes whole records out of patched ones: walks the rows of a task and the records of the base
 * beside each other, both in id order. Not thread-safe.
 */
final class RowPatcher implements AutoCloseable {
  /** Up to so many ids are looked for one by one; above, the range around them is read. */
  static final int MOST_IDS = 4096;

  private static final int SHOWN = 6;
  private static final int INT = 4;

  private final WritePlan plan;
  private final RowEncoder encoder;
  private final OrderedRows base;
  private final PropertyPatch properties;
  private final List<String> missing = new ArrayList<>();
  private boolean started;
  private boolean more;
  private byte[] out = new byte[1 << 12];
  private int length;

  private RowPatcher(WritePlan plan, RowEncoder encoder, OrderedRows base) {
    this.plan = plan;
    this.encoder = encoder;
    this.base = base;
    RowShape shape = plan.shape();
    properties =
        new PropertyPatch(
            shape.properties().stream().map(PropertyColumn::name).toList(),
            !shape.rules().storeNulls());
  }

  /**
   * Opens the base where a task's rows are.
   *
   * @param encoder that encoded the rows; names them in errors
   * @param ids first ids of the rows
   */
  static RowPatcher open(WritePlan plan, RowEncoder encoder, KeyRanges ids, ObjectStore store) {
    return new RowPatcher(plan, encoder, OrderedRows.open(plan.base().slices(), ids, store));
  }

  /**
   * Patches one row; ids ascend.
   *
   * @return false if there is no such record: {@link #finish} will fail
   */
  boolean patch(byte[] row, int at, int contentLength) {
    NodeId first = NodeId.of(row, at);
    NodeId second = NodeId.of(row, at + NodeId.BYTES);
    if (!find(first, second)) {
      missing.add(BrokenRule.NO_RECORD.by(encoder.name(first, second)) + under());
      if (missing.size() >= SHOWN) {
        finish();
      }
      return false;
    }
    int from = at + RowSorter.HEAD;
    int labels = RowSorter.intAt(row, from);
    from += INT;
    length = 0;
    put(row, at, RowSorter.HEAD);
    if (labels == RowEncoder.KEEP_LABELS) {
      keepLabels();
    } else {
      put(row, from - INT, INT * (1 + labels));
      from += INT * labels;
    }
    try {
      properties(row, from, at + RowSorter.HEAD + contentLength - from);
    } catch (InvalidJsonException e) {
      throw WriteErrors.unreadable(where(), encoder.name(first, second), e.getMessage(), e);
    }
    return true;
  }

  private String under() {
    String scope = plan.shape().scope();
    return plan.shape().edges() || scope.isEmpty() ? "" : " with label '" + scope + "'";
  }

  private boolean find(NodeId first, NodeId second) {
    if (!started) {
      started = true;
      more = base.next();
    }
    while (more) {
      RecordBatch b = base.batch();
      int i = base.row();
      int c = NodeId.compare(b.keyHi()[i], b.keyLo()[i], first.hi(), first.lo());
      if (c == 0 && b.edges()) {
        c = NodeId.compare(b.partnerHi()[i], b.partnerLo()[i], second.hi(), second.lo());
      }
      if (c >= 0) {
        return c == 0;
      }
      more = base.next();
    }
    return false;
  }

  private void keepLabels() {
    int[] ids = base.labels().ids(base.batch().labelSet()[base.row()]);
    // An id without a name means nothing today and must not come to mean something later.
    List<Integer> names = plan.base().labels();
    int[] known =
        Arrays.stream(ids).filter(id -> id < names.size()).map(names::get).sorted().toArray();
    putInt(known.length);
    for (int id : known) {
      putInt(id);
    }
  }

  private void properties(byte[] row, int patch, int patchLength) {
    RecordBatch b = base.batch();
    int i = base.row();
    int stored = b.payloadLength()[i];
    if (patchLength > 0) {
      properties.values(row, patch, patchLength);
      int size = properties.apply(b.payload(), b.payloadOffset()[i], stored);
      put(properties.buffer(), 0, size);
    } else if (stored > 0) {
      put(b.payload(), b.payloadOffset()[i], stored);
    }
  }

  private void put(byte[] from, int at, int size) {
    if (size > out.length - length) {
      out =
          Arrays.copyOf(out, (int) Math.max((long) length + size, Math.min(1 << 30, 2L * length)));
    }
    System.arraycopy(from, at, out, length, size);
    length += size;
  }

  private void putInt(int value) {
    byte[] four = new byte[INT];
    RowSorter.putInt(four, 0, value);
    put(four, 0, INT);
  }

  /** The last record, from position 0, as the sorter lays it out. */
  byte[] record() {
    return out;
  }

  /** Length of its content. */
  int length() {
    return length - RowSorter.HEAD;
  }

  /**
   * Ends it.
   *
   * @throws com.namidb.format.error.ValidationFailedException if rows named records that are not
   *     there
   */
  void finish() {
    if (!missing.isEmpty()) {
      throw CommitErrors.invalid(where(), missing);
    }
  }

  private Where where() {
    return new Where(plan.paths().namespace(), plan.plan().baseVersion(), null, plan.job());
  }

  @Override
  public void close() {
    base.close();
  }
}
