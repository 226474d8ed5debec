package com.namidb.spark.write.removal;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.stage.AscendingKeys;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.StageTarget;
import com.namidb.spark.write.task.TombstoneFiles;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes the live rows of a table's slice that the job does not write. A slice gives its rows in
 * order part by part only, so the keys are sorted before they meet those of the job.
 *
 * @param slice with keys, and labels if {@code label} is given
 * @param type edge type, {@code null} for nodes
 * @param label the label nodes must carry alone; empty if others do not matter
 */
record TablePiece(ScanSlice slice, String type, String label) implements RemovalPiece {
  @Override
  public Outcome run(RemovalScope scope, StageTarget target) {
    boolean edges = type != null;
    List<String> problems = new ArrayList<>();
    try (RowSorter sorter = new RowSorter(target.temp(), SORT_BYTES);
        SliceReader rows = SliceReader.open(slice, target.store());
        AscendingKeys written =
            new AscendingKeys(
                target.store(), scope.paths(), edges ? scope.edges(type) : scope.nodes(), edges);
        TombstoneFiles out = new TombstoneFiles(target, type, scope.schema(), scope.lsn())) {
      while (problems.size() < SHOWN && rows.next()) {
        read(rows, scope, sorter, problems);
      }
      if (!problems.isEmpty()) {
        return new Outcome(List.of(), problems);
      }
      sorter.drain(
          (record, at, length) -> {
            NodeId a = NodeId.of(record, at);
            NodeId b = NodeId.of(record, at + NodeId.BYTES);
            if (!written.contains(a.hi(), a.lo(), b.hi(), b.lo())) {
              out.add(a, b);
            }
          });
      return new Outcome(out.finish(), problems);
    }
  }

  private void read(SliceReader rows, RemovalScope scope, RowSorter sorter, List<String> problems) {
    RecordBatch b = rows.batch();
    for (int i = 0; i < rows.selection().size(); i++) {
      int row = rows.selection().row(i);
      NodeId key = new NodeId(b.keyHi()[row], b.keyLo()[row]);
      NodeId partner =
          type == null ? NodeId.MIN : new NodeId(b.partnerHi()[row], b.partnerLo()[row]);
      if (!label.isEmpty() && problems.size() < SHOWN) {
        for (int id : rows.labels().ids(b.labelSet()[row])) {
          if (scope.labels().knows(id) && !scope.labels().name(id).equals(label)) {
            problems.add(
                BrokenRule.OTHER_LABELS.by("node " + key) + "'" + scope.labels().name(id) + "'");
            break;
          }
        }
      }
      sorter.add(key, partner, 0);
    }
  }
}
