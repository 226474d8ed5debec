package com.namidb.format.scan;

import com.namidb.format.edge.EdgeSstReader;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.node.NodeSstReader;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** SSTs in an object store, by the codec of their kind. */
final class StoredSsts implements SstAccess {
  private final ObjectStore store;
  private final boolean edges;

  StoredSsts(ObjectStore store, boolean edges) {
    this.store = store;
    this.edges = edges;
  }

  @Override
  public RecordCursor scan(
      SliceFile file, Set<Column> columns, KeyRanges ranges, LabelSets labels, int window) {
    return new LazyCursor(() -> open(file, columns, ranges, labels, window));
  }

  private LazyCursor.Opened open(
      SliceFile file, Set<Column> columns, KeyRanges ranges, LabelSets labels, int window) {
    if (edges) {
      EdgeSstReader reader = EdgeSstReader.open(store, file.asEdges(), window);
      return new LazyCursor.Opened(reader.scan(columns, ranges), reader::close);
    }
    NodeSstReader reader = NodeSstReader.open(store, file.asNodes(), window);
    return new LazyCursor.Opened(reader.scan(columns, ranges, labels), reader::close);
  }

  @Override
  public List<Part> parts(SliceFile file, int pieces) {
    List<Part> out = new ArrayList<>();
    if (edges) {
      try (EdgeSstReader reader = EdgeSstReader.open(store, file.asEdges())) {
        List<KeyRange> ranges = reader.cut(file.keys(), pieces);
        for (KeyRange r : ranges) {
          out.add(new Part(r, file.sizeBytes / ranges.size()));
        }
      }
      return out;
    }
    try (NodeSstReader reader = NodeSstReader.open(store, file.asNodes())) {
      for (NodeSstReader.RowGroup g : reader.rowGroups()) {
        out.add(new Part(g.keys(), g.bytes(), g.listed()));
      }
    }
    return out;
  }
}
