package com.namidb.format.stage;

import com.namidb.format.edge.EdgeSstWriter;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import java.nio.file.Path;

/**
 * Sorts edges by destination, then source, in bounded memory. A row's content is its LSN and the
 * property object, which a deleted edge has none of.
 */
final class InverseSorter implements AutoCloseable {
  private static final int LSN = Long.BYTES;

  private final RowSorter rows;

  InverseSorter(Path folder, int limit) {
    rows = new RowSorter(folder, limit);
  }

  void add(NodeId src, NodeId dst, long lsn, byte[] json, int offset, int length) {
    int at = rows.add(dst, src, LSN + length);
    IdBytes.putLong(rows.buffer(), at, lsn);
    System.arraycopy(json, offset, rows.buffer(), at + LSN, length);
  }

  void addTombstone(NodeId src, NodeId dst, long lsn) {
    int at = rows.add(dst, src, LSN);
    IdBytes.putLong(rows.buffer(), at, lsn);
  }

  /** Hands every edge over in order. */
  void drain(EdgeSstWriter to) {
    rows.drain(
        (record, at, length) -> {
          NodeId dst = NodeId.of(record, at);
          NodeId src = NodeId.of(record, at + NodeId.BYTES);
          int content = at + RowSorter.HEAD;
          long lsn = IdBytes.longAt(record, content);
          if (length == LSN) {
            to.addTombstone(dst, src, lsn);
          } else {
            to.add(dst, src, lsn, record, content + LSN, length - LSN);
          }
        });
  }

  @Override
  public void close() {
    rows.close();
  }
}
