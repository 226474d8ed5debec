package com.namidb.format.edge;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.List;
import java.util.Set;

/** Reads one edge SST, whole or by ranges of its key. Source: edge §6. */
public final class EdgeSstReader implements AutoCloseable {
  private EdgeSstReader() {}

  /** Reads and checks header, footer and page checksums. */
  public static EdgeSstReader open(ObjectStore store, EdgeSstFile file) {
    throw new IllegalStateException("not built yet: " + store + file);
  }

  /**
   * Opens a cursor over the keys of {@code ranges}; payloads are whole property objects, streams
   * merged in.
   */
  public RecordCursor scan(Set<Column> columns, KeyRanges ranges) {
    throw new IllegalStateException("not built yet: " + columns + ranges);
  }

  /** Cuts a key range into at most {@code pieces} of about equal edge count, whole keys only. */
  public List<KeyRange> cut(KeyRange range, int pieces) {
    throw new IllegalStateException("not built yet: " + range + pieces);
  }

  @Override
  public void close() {}
}
