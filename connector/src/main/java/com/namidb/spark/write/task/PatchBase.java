package com.namidb.spark.write.task;

import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.record.Column;
import com.namidb.format.scan.OrderedRows;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.write.row.RowShape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The records a patch starts from: all of the table, of which each task opens what its ids need.
 *
 * @param slices ordered; see {@link OrderedRows}
 * @param labels the job's label id of each one that has a name there
 */
public record PatchBase(List<ScanSlice> slices, List<Integer> labels) implements Serializable {
  /** Copies the lists, so that they can be sent. */
  public PatchBase {
    slices = new ArrayList<>(slices);
    labels = new ArrayList<>(labels);
  }

  /**
   * Plans on a version; reads its WAL.
   *
   * @param job the job's label ids: all names of the version are among them
   */
  public static PatchBase plan(
      Snapshot base, RowShape shape, LabelDictionary job, ObjectStore store) {
    ScanRequest.Target target =
        shape.edges()
            ? new ScanRequest.Edges(shape.scope())
            : new ScanRequest.Nodes(
                shape.scope().isEmpty() ? Optional.empty() : Optional.of(shape.scope()));
    EnumSet<Column> columns = EnumSet.of(Column.PAYLOAD);
    if (!shape.edges()) {
      columns.add(Column.LABELS);
    }
    List<Integer> labels = names(base).names().stream().map(n -> job.id(n).orElseThrow()).toList();
    return new PatchBase(OrderedRows.plan(base, target, columns, store), labels);
  }

  /** The label ids that stored records have, with their names. */
  public static LabelDictionary names(Snapshot base) {
    return ScanPlanner.labels(base.manifest());
  }
}
