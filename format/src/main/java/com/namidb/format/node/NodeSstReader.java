package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.List;
import java.util.Set;

/** Reads one node SST, whole or by key ranges. Source: node §2–4. */
public final class NodeSstReader implements AutoCloseable {
  private NodeSstReader() {}

  /** Reads and checks the footer. */
  public static NodeSstReader open(ObjectStore store, NodeSstFile file) {
    throw new IllegalStateException("not built yet: " + store + file);
  }

  /** Rows and key range of each row group, in key order, from the footer. */
  public List<RowGroup> rowGroups() {
    throw new IllegalStateException("not built yet");
  }

  /**
   * Opens a cursor over the row groups that may hold keys of {@code ranges}.
   *
   * @param columns what to fill in
   * @param labels where label sets are numbered
   */
  public RecordCursor scan(Set<Column> columns, KeyRanges ranges, LabelSets labels) {
    throw new IllegalStateException("not built yet: " + columns + ranges + (labels == null));
  }

  @Override
  public void close() {}

  /**
   * A row group.
   *
   * @param keys its key range
   * @param rows number of rows
   * @param bytes compressed bytes of all its columns
   */
  public record RowGroup(KeyRange keys, long rows, long bytes) {}
}
