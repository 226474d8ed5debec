package com.namidb.format.scan;

import com.namidb.format.edge.EdgeSstReader;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.node.NodeSstReader;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.Set;

/** Records of one SST, opened at the first call: a shadow that is never reached costs nothing. */
final class FileCursor implements RecordCursor {
  private final SliceFile file;
  private final Opening opening;
  private final KeyRanges ranges;
  private final Set<Column> columns;
  private Runnable closeReader = () -> {};
  private RecordCursor cursor;
  private boolean closed;

  FileCursor(SliceFile file, Opening opening, KeyRanges ranges, Set<Column> columns) {
    this.file = file;
    this.opening = opening;
    this.ranges = ranges;
    this.columns = columns;
  }

  @Override
  public boolean next() {
    if (closed) {
      return false;
    }
    if (cursor == null) {
      open();
    }
    return cursor.next();
  }

  private void open() {
    if (opening.edges) {
      EdgeSstReader edges = EdgeSstReader.open(opening.store, file.asEdges());
      closeReader = edges::close;
      cursor = edges.scan(columns, ranges);
    } else {
      NodeSstReader nodes = NodeSstReader.open(opening.store, file.asNodes());
      closeReader = nodes::close;
      cursor = nodes.scan(columns, ranges, opening.labels);
    }
  }

  @Override
  public RecordBatch batch() {
    return cursor.batch();
  }

  @Override
  public void close() {
    closed = true;
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
    closeReader.run();
    closeReader = () -> {};
  }

  /** What opening a file takes besides the file. */
  static final class Opening {
    private final ObjectStore store;
    private final boolean edges;
    private final LabelSets labels;

    Opening(ObjectStore store, boolean edges, LabelSets labels) {
      this.store = store;
      this.edges = edges;
      this.labels = labels;
    }
  }
}
