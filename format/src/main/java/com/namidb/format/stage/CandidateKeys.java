package com.namidb.format.stage;

import com.namidb.format.edge.EdgeSstFile;
import com.namidb.format.edge.EdgeSstReader;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.node.NodeSstFile;
import com.namidb.format.node.NodeSstReader;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.EnumSet;
import java.util.List;

/** Reads the rows of a candidate again, in file order, tombstones included. */
public final class CandidateKeys implements RecordCursor {
  private final AutoCloseable file;
  private final RecordCursor rows;
  private final LabelSets labels;

  private CandidateKeys(AutoCloseable file, RecordCursor rows, LabelSets labels) {
    this.file = file;
    this.labels = labels;
    this.rows = rows;
  }

  /**
   * Opens a candidate.
   *
   * @param ranges wanted keys; others may come too
   */
  public static CandidateKeys open(
      ObjectStore store, NamespacePaths paths, NewSst sst, KeyRanges ranges) {
    return open(store, paths, sst, ranges, EnumSet.of(Column.KEY));
  }

  /** Opens a candidate for more than its keys. */
  public static CandidateKeys open(
      ObjectStore store,
      NamespacePaths paths,
      NewSst sst,
      KeyRanges ranges,
      EnumSet<Column> columns) {
    String key = paths.object(sst.path());
    LabelSets labels = new LabelSets();
    if (sst.kind() == SstKind.NODES) {
      NodeSstReader reader =
          NodeSstReader.open(
              store,
              new NodeSstFile(
                  key,
                  sst.sizeBytes(),
                  sst.counts().rows(),
                  sst.counts().tombstones() > 0,
                  sst.keys(),
                  sst.lsns().min(),
                  sst.lsns().max(),
                  null));
      return new CandidateKeys(reader, reader.scan(columns, ranges, labels), labels);
    }
    EdgeSstReader reader =
        EdgeSstReader.open(
            store, new EdgeSstFile(key, sst.sizeBytes(), sst.counts().rows(), sst.id(), List.of()));
    return new CandidateKeys(reader, reader.scan(columns, ranges), labels);
  }

  /** The label sets that batches refer to. */
  public LabelSets labels() {
    return labels;
  }

  @Override
  public boolean next() {
    return rows.next();
  }

  @Override
  public RecordBatch batch() {
    return rows.batch();
  }

  @Override
  public void close() {
    rows.close();
    try {
      file.close();
    } catch (Exception e) {
      throw new IllegalStateException("readers close without checked exceptions", e);
    }
  }
}
