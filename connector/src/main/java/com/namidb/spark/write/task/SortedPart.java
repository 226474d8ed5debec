package com.namidb.spark.write.task;

import com.namidb.format.error.Where;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.SortMemory;
import com.namidb.format.stage.StageTarget;
import com.namidb.spark.write.row.RefusedRowException;
import com.namidb.spark.write.row.RowEncoder;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows of one kind, of one task: sorted, then staged as files of their own. Not thread-safe. */
public final class SortedPart implements AutoCloseable {
  private final WritePlan plan;
  private final StageTarget target;
  private final Where where;
  private final RowEncoder encoder;
  private final RowSorter sorter;
  private final byte[] last = new byte[RowSorter.HEAD];
  private CandidateSink sink;
  private long rows;
  private long staged;

  /**
   * Prepares it; nothing is uploaded before {@link #stage}.
   *
   * @param plan what this kind of rows goes by
   * @param target where files are to go; stays owned by the caller
   * @param where names the write in errors
   */
  public SortedPart(WritePlan plan, RowEncoder encoder, StageTarget target, Where where) {
    this.plan = plan;
    this.where = where;
    this.encoder = encoder;
    this.target = target;
    sorter = new RowSorter(target.temp(), SortMemory.bytes());
  }

  /** Adds a row that its encoder understands as a whole. */
  public void add(InternalRow row) {
    rows++;
    try {
      encoder.encode(row, null, sorter);
    } catch (RefusedRowException e) {
      throw e.changed(where);
    }
  }

  /** Where somebody else is about to put one row. */
  public RowSorter next() {
    rows++;
    return sorter;
  }

  /**
   * Stages all rows.
   *
   * @throws com.namidb.format.error.InvalidValueException if a key comes twice
   */
  public TaskReport stage() {
    sink =
        plan.shape().edges()
            ? new EdgeSink(target, plan)
            : new NodeSink(target, plan, encoder.dictionary());
    sorter.drain(
        (record, at, length) -> {
          if (staged++ > 0 && RowSorter.sameKey(record, at, last, 0)) {
            throw encoder.twice(record, at).changed(where);
          }
          System.arraycopy(record, at, last, 0, RowSorter.HEAD);
          sink.accept(record, at, length);
        });
    sink.finish();
    return new TaskReport(
        sink.files(),
        new Balance(rows, staged, 0),
        encoder.encoded(),
        QuarantineReport.EMPTY,
        List.of());
  }

  /** Deletes what it staged; nobody will publish it. */
  public void discard() {
    if (sink != null) {
      sink.close();
      StagedObjects.delete(target.store(), plan.paths(), sink.files());
    }
  }

  @Override
  public void close() {
    if (sink != null) {
      sink.close();
    }
    sorter.close();
  }
}
