package com.namidb.spark.write.check;

import com.namidb.format.id.NodeId;
import com.namidb.format.stage.RowSorter;
import com.namidb.spark.write.row.RefusedRowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A staged row that a check found wrong, as bytes that sort by file and key.
 *
 * @param file position of its candidate among those checked
 * @param first node, or source of an edge
 * @param second destination of an edge, zero for a node
 * @param kind the reason without what only this row has
 * @param detail the rest of the reason
 */
record Reject(int file, NodeId first, NodeId second, String kind, String detail) {
  /** Bytes of the file's position. */
  static final int FILE = 4;

  byte[] toBytes() {
    byte[] k = kind.getBytes(StandardCharsets.UTF_8);
    byte[] d = detail.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FILE + RowSorter.KEY + FILE + k.length + d.length)
        .putInt(file)
        .putLong(first.hi())
        .putLong(first.lo())
        .putLong(second.hi())
        .putLong(second.lo())
        .putInt(k.length)
        .put(k)
        .put(d)
        .array();
  }

  static Reject of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int file = in.getInt();
    NodeId first = new NodeId(in.getLong(), in.getLong());
    NodeId second = new NodeId(in.getLong(), in.getLong());
    int split = in.getInt() + in.position();
    return new Reject(
        file,
        first,
        second,
        new String(Arrays.copyOfRange(bytes, in.position(), split), StandardCharsets.UTF_8),
        new String(Arrays.copyOfRange(bytes, split, bytes.length), StandardCharsets.UTF_8));
  }

  /** Compares keys only. */
  int compareKey(long hi, long lo, long hi2, long lo2) {
    int c = NodeId.compare(first.hi(), first.lo(), hi, lo);
    return c != 0 ? c : NodeId.compare(second.hi(), second.lo(), hi2, lo2);
  }

  /** Which row, as errors name it. */
  String row(boolean edge) {
    return edge ? "edge " + first + " -> " + second : "node " + first;
  }

  /** As the reason of a row that is set aside. */
  RefusedRowException reason(boolean edge) {
    return new RefusedRowException(kind, detail).of(row(edge));
  }
}
