package com.namidb.format.validate;

import com.namidb.format.error.NamiException;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The live nodes of one key range, and the live edges of every type that leave them, by the forward
 * files, or come to them, by the inverse files. Holds 16 bytes per node of the range.
 */
final class RangeAudit implements AuditPiece {
  private static final long serialVersionUID = 1L;

  private final ArrayList<ScanSlice> nodes;
  private final TreeMap<String, ArrayList<ScanSlice>> forward = new TreeMap<>();
  private final TreeMap<String, ArrayList<ScanSlice>> inverse = new TreeMap<>();

  RangeAudit(List<ScanSlice> nodes) {
    this.nodes = new ArrayList<>(nodes);
  }

  void add(String type, List<ScanSlice> leaving, List<ScanSlice> coming) {
    forward.put(type, new ArrayList<>(leaving));
    inverse.put(type, new ArrayList<>(coming));
  }

  @Override
  public Outcome run(ObjectStore store) {
    Outcome out = new Outcome(new ArrayList<>(), new TreeMap<>());
    try {
      SortedIds live = live(store);
      for (Map.Entry<String, ArrayList<ScanSlice>> e : forward.entrySet()) {
        Side from = new Side(live, true);
        from.read(store, e.getValue());
        Side to = new Side(live, false);
        to.read(store, inverse.get(e.getKey()));
        out.edges()
            .put(
                e.getKey(),
                new Edges(
                    from.keys.build(),
                    to.keys.build(),
                    from.missing,
                    to.missing,
                    from.example,
                    to.example));
      }
    } catch (NamiException e) {
      out.findings().add(new Finding(DeepCheck.READABLE, e.object().orElse(""), e.getMessage(), 1));
      out.edges().clear();
    }
    return out;
  }

  private SortedIds live(ObjectStore store) {
    SortedIds out = new SortedIds();
    for (ScanSlice slice : nodes) {
      try (SliceReader rows = SliceReader.open(slice, store)) {
        while (rows.next()) {
          RecordBatch b = rows.batch();
          for (int i = 0; i < rows.selection().size(); i++) {
            int row = rows.selection().row(i);
            out.add(b.keyHi()[row], b.keyLo()[row]);
          }
        }
      }
    }
    out.sort();
    return out;
  }

  /** Edges by one of their ends. */
  private static final class Side {
    private final SortedIds live;
    private final boolean source;
    private final KeyDigest.Builder keys = new KeyDigest.Builder();
    private long missing;
    private String example;

    Side(SortedIds live, boolean source) {
      this.live = live;
      this.source = source;
    }

    void read(ObjectStore store, List<ScanSlice> slices) {
      for (ScanSlice slice : slices) {
        try (SliceReader rows = SliceReader.open(slice, store)) {
          while (rows.next()) {
            RecordBatch b = rows.batch();
            for (int i = 0; i < rows.selection().size(); i++) {
              look(b, rows.selection().row(i));
            }
          }
        }
      }
    }

    private void look(RecordBatch b, int row) {
      // Keys are (src, dst) whatever file they come from.
      keys.add(b.keyHi()[row], b.keyLo()[row], b.partnerHi()[row], b.partnerLo()[row]);
      long hi = source ? b.keyHi()[row] : b.partnerHi()[row];
      long lo = source ? b.keyLo()[row] : b.partnerLo()[row];
      if (!live.contains(hi, lo)) {
        missing++;
        example = example == null ? new NodeId(hi, lo).toString() : example;
      }
    }
  }
}
