package com.namidb.format.stage;

import com.namidb.format.edge.EdgeSstWriter;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.IdSort;
import com.namidb.format.id.NodeId;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts edges by destination, then source, in bounded memory: a buffer of records is sorted and
 * written to a local file when it is full, and the files are merged at the end. A record is
 * destination, source, LSN, length of the property object (−1 = deleted), and the object.
 */
final class InverseSorter implements AutoCloseable {
  private static final int LSN = 32;
  private static final int LENGTH = 40;
  private static final int HEAD = 48;
  private static final int FIRST = 1 << 16;
  private static final int RUN_BUFFER = 1 << 16;

  private final Path folder;
  private final int limit;
  private final List<SortRun> runs = new ArrayList<>();
  private byte[] buffer = new byte[FIRST];
  private int used;
  private int[] starts = new int[1024];
  private int count;

  InverseSorter(Path folder, int limit) {
    this.folder = folder;
    this.limit = Math.max(limit, FIRST);
  }

  void add(NodeId src, NodeId dst, long lsn, byte[] json, int offset, int length) {
    int at = reserve(src, dst, lsn, length);
    System.arraycopy(json, offset, buffer, at + HEAD, length);
  }

  void addTombstone(NodeId src, NodeId dst, long lsn) {
    int at = reserve(src, dst, lsn, 0);
    IdBytes.putLong(buffer, at + LENGTH, -1);
  }

  private int reserve(NodeId src, NodeId dst, long lsn, int length) {
    int size = HEAD + length;
    if (used + size > limit && count > 0) {
      spill();
    }
    if (used + size > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(used + size, Math.min(limit, 2 * buffer.length)));
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
    }
    int at = used;
    starts[count++] = at;
    used += size;
    IdBytes.putLong(buffer, at, dst.hi());
    IdBytes.putLong(buffer, at + 8, dst.lo());
    IdBytes.putLong(buffer, at + 16, src.hi());
    IdBytes.putLong(buffer, at + 24, src.lo());
    IdBytes.putLong(buffer, at + LSN, lsn);
    IdBytes.putLong(buffer, at + LENGTH, length);
    return at;
  }

  /** Hands every record over in order; the sorter is empty afterwards. */
  void drain(EdgeSstWriter to) {
    sort();
    if (runs.isEmpty()) {
      for (int i = 0; i < count; i++) {
        emit(buffer, starts[i], to);
      }
    } else {
      spill();
      buffer = new byte[0];
      merge(to);
    }
    count = 0;
    used = 0;
  }

  private void merge(EdgeSstWriter to) {
    PriorityQueue<SortRun> heads =
        new PriorityQueue<>((a, b) -> compare(a.record(), 0, b.record(), 0));
    for (SortRun run : runs) {
      if (run.next()) {
        heads.add(run);
      }
    }
    while (!heads.isEmpty()) {
      SortRun run = heads.poll();
      emit(run.record(), 0, to);
      if (run.next()) {
        heads.add(run);
      }
    }
  }

  private static void emit(byte[] from, int at, EdgeSstWriter to) {
    NodeId dst = NodeId.of(from, at);
    NodeId src = NodeId.of(from, at + 16);
    long lsn = IdBytes.longAt(from, at + LSN);
    int length = (int) IdBytes.longAt(from, at + LENGTH);
    if (length < 0) {
      to.addTombstone(dst, src, lsn);
    } else {
      to.add(dst, src, lsn, from, at + HEAD, length);
    }
  }

  private void spill() {
    sort();
    try {
      Path file = Files.createTempFile(folder, "namidb-sort", ".run");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), RUN_BUFFER)) {
        for (int i = 0; i < count; i++) {
          out.write(buffer, starts[i], size(starts[i]));
        }
      }
      runs.add(SortRun.open(file));
    } catch (IOException e) {
      throw StoreErrors.failed("write a temporary file in " + folder, null, e);
    }
    count = 0;
    used = 0;
  }

  private int size(int at) {
    return HEAD + Math.max(0, (int) IdBytes.longAt(buffer, at + LENGTH));
  }

  private void sort() {
    IdSort.sort(buffer, LSN, starts, count);
  }

  private static int compare(byte[] a, int i, byte[] b, int j) {
    return Arrays.compareUnsigned(a, i, i + LSN, b, j, j + LSN);
  }

  @Override
  public void close() {
    runs.forEach(SortRun::close);
    buffer = new byte[0];
  }

  /** Bytes of a record before its property object. */
  static int head() {
    return HEAD;
  }

  /** Bytes of the property object of a record that starts at 0. */
  static int payload(byte[] head) {
    return Math.max(0, (int) IdBytes.longAt(head, LENGTH));
  }
}
