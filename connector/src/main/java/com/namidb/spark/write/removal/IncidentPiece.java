package com.namidb.spark.write.removal;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.stage.AscendingKeys;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.validate.StagedKeys;
import com.namidb.spark.write.task.TombstoneFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Edges of one type at the deleted nodes of one candidate. Every such edge is found by exactly one
 * piece: the one of its source if that goes, else the one of its destination.
 *
 * @param deleted candidate of deleted nodes
 * @param type edge type
 * @param slices edges that may be at these nodes
 * @param destinations whether the nodes are looked for among destinations; else among sources
 */
record IncidentPiece(NewSst deleted, String type, List<ScanSlice> slices, boolean destinations)
    implements RemovalPiece {
  private static final int MOST_IDS = 4096;

  IncidentPiece {
    slices = new ArrayList<>(slices);
  }

  @Override
  public Outcome run(RemovalScope scope, StageTarget target) {
    StagedKeys nodes = StagedKeys.load(target.store(), scope.paths(), deleted, false);
    KeyRanges ids = nodes.ranges(MOST_IDS);
    try (RowSorter sorter = new RowSorter(target.temp(), SORT_BYTES)) {
      for (ScanSlice slice : slices) {
        Optional<ScanSlice> there = slice.within(ids, destinations);
        if (there.isPresent()) {
          read(there.get(), nodes, sorter, target);
        }
      }
      return tombstones(sorter, scope, target);
    }
  }

  private void read(ScanSlice slice, StagedKeys nodes, RowSorter sorter, StageTarget target) {
    try (SliceReader rows = SliceReader.open(slice, target.store())) {
      while (rows.next()) {
        RecordBatch b = rows.batch();
        long[] hi = destinations ? b.partnerHi() : b.keyHi();
        long[] lo = destinations ? b.partnerLo() : b.keyLo();
        for (int i = 0; i < rows.selection().size(); i++) {
          int row = rows.selection().row(i);
          if (nodes.find(hi[row], lo[row], 0, 0) >= 0) {
            sorter.add(
                new NodeId(b.keyHi()[row], b.keyLo()[row]),
                new NodeId(b.partnerHi()[row], b.partnerLo()[row]),
                0);
          }
        }
      }
    }
  }

  private Outcome tombstones(RowSorter found, RemovalScope scope, StageTarget target) {
    try (AscendingKeys gone =
            new AscendingKeys(
                target.store(), scope.paths(), destinations ? scope.nodes() : List.of(), false);
        TombstoneFiles out = new TombstoneFiles(target, type, scope.schema(), scope.lsn())) {
      found.drain(
          (record, at, length) -> {
            NodeId src = NodeId.of(record, at);
            if (!gone.contains(src.hi(), src.lo(), 0, 0)) {
              out.add(src, NodeId.of(record, at + NodeId.BYTES));
            }
          });
      return new Outcome(out.finish(), List.of());
    }
  }
}
