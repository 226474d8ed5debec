package com.namidb.spark.read;

import com.namidb.format.record.RecordBatch;
import com.namidb.format.scan.LiveBatches;
import com.namidb.spark.types.RowName;
import java.util.function.Supplier;

/**
 * Names a row for an error message. Keys are not read for the sake of errors that do not happen: if
 * the query did not ask for them, the slice is read once more with keys when an error needs one.
 */
final class RowNames {
  private final LiveBatches rows;
  private final String edgeType;
  private final Supplier<LiveBatches> reopen;
  private long before;

  /**
   * Names rows of a slice.
   *
   * @param edgeType its edge type, {@code null} for nodes
   * @param reopen opens the same slice with keys; {@code null} if {@code rows} has them
   */
  RowNames(LiveBatches rows, String edgeType, Supplier<LiveBatches> reopen) {
    this.rows = rows;
    this.edgeType = edgeType;
    this.reopen = reopen;
  }

  /** Leaves the current batch behind. */
  void leaveBatch() {
    before += rows.selection().size();
  }

  /** The name of a selected record of the current batch. */
  String of(int selected) {
    if (reopen == null) {
      return name(rows.batch(), rows.selection().row(selected));
    }
    long left = before + selected;
    try (LiveBatches again = reopen.get()) {
      while (again.next()) {
        int size = again.selection().size();
        if (left < size) {
          return name(again.batch(), again.selection().row((int) left));
        }
        left -= size;
      }
    }
    throw new IllegalStateException("the slice has fewer rows when read with keys");
  }

  private String name(RecordBatch batch, int row) {
    return RowName.of(batch, row, edgeType);
  }
}
