package com.namidb.format.stage;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.IdSort;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts encoded rows by id in bounded memory: a buffer is sorted and written to a local file when
 * it is full, and the files are merged at the end. A record is two ids (the second zero for nodes),
 * the length of the content, and the content.
 */
public final class RowSorter implements AutoCloseable {
  /** Where the content of a record starts. */
  public static final int HEAD = 36;

  /** Bytes of the ids at the start of a record. */
  public static final int KEY = 32;

  private static final int FIRST = 1 << 16;

  /** Rows fetched at once, and the size up to which one is. */
  private static final int AHEAD = 32;

  private static final int SMALL = 512;

  private final Path folder;
  private final int limit;
  private final List<SortedRun> runs = new ArrayList<>();
  private byte[] buffer = new byte[FIRST];
  private int used;
  private int[] starts = new int[1024];
  private int count;
  private NodeId least = NodeId.MAX;
  private NodeId greatest = NodeId.MIN;

  /**
   * Prepares it.
   *
   * @param folder for temporary files
   * @param limit bytes of rows to hold in memory
   */
  public RowSorter(Path folder, int limit) {
    this.folder = folder;
    this.limit = Math.max(limit, FIRST);
  }

  /** Takes the rows in order. */
  public interface Sink {
    /** A record; its bytes are valid during the call only. */
    void accept(byte[] record, int at, int contentLength);
  }

  /**
   * Adds a row.
   *
   * @return where its content has to be put in {@link #buffer}
   */
  public int add(NodeId first, NodeId second, int contentLength) {
    int size = Math.addExact(HEAD, contentLength);
    if (used > limit - size && count > 0) {
      spill();
    }
    if (size > buffer.length - used) {
      long wanted = Math.max((long) used + size, Math.min(limit, 2L * buffer.length));
      buffer = Arrays.copyOf(buffer, Math.toIntExact(wanted));
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
    }
    least = first.compareTo(least) < 0 ? first : least;
    greatest = first.compareTo(greatest) > 0 ? first : greatest;
    int at = used;
    starts[count++] = at;
    used += size;
    IdBytes.putLong(buffer, at, first.hi());
    IdBytes.putLong(buffer, at + 8, first.lo());
    IdBytes.putLong(buffer, at + 16, second.hi());
    IdBytes.putLong(buffer, at + 24, second.lo());
    putInt(buffer, at + KEY, contentLength);
    return at + HEAD;
  }

  /** The first ids of all rows: each of them if that is not too many, else the range around. */
  public KeyRanges firstIds(int most) {
    if (runs.isEmpty() && count <= most) {
      List<NodeId> ids = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        ids.add(NodeId.of(buffer, starts[i]));
      }
      return KeyRanges.ofIds(ids);
    }
    return KeyRanges.of(new KeyRange(least, greatest));
  }

  /** Where the rows are put; another array after each {@link #add}. */
  public byte[] buffer() {
    return buffer;
  }

  /** Hands every row over in order, equal ids one after the other. */
  public void drain(Sink to) {
    if (runs.isEmpty()) {
      sort();
      drainMemory(to);
      return;
    }
    spill();
    buffer = new byte[0];
    PriorityQueue<SortedRun> heads =
        new PriorityQueue<>((a, b) -> compare(a.record(), 0, b.record(), 0));
    for (SortedRun run : runs) {
      if (run.next()) {
        heads.add(run);
      }
    }
    while (!heads.isEmpty()) {
      SortedRun run = heads.poll();
      to.accept(run.record(), 0, intAt(run.record(), KEY));
      if (run.next()) {
        heads.add(run);
      }
    }
  }

  /**
   * Sorted rows lie anywhere in the buffer. Fetching some of them before the first is handed over
   * lets the processor wait for all at once, instead of for one after the other.
   */
  private void drainMemory(Sink to) {
    byte[] near = new byte[AHEAD * SMALL];
    int[] lengths = new int[AHEAD];
    for (int from = 0; from < count; from += AHEAD) {
      int n = Math.min(AHEAD, count - from);
      for (int i = 0; i < n; i++) {
        lengths[i] = intAt(buffer, starts[from + i] + KEY);
      }
      for (int i = 0; i < n; i++) {
        int size = HEAD + lengths[i];
        if (size <= SMALL) {
          System.arraycopy(buffer, starts[from + i], near, i * SMALL, size);
        }
      }
      for (int i = 0; i < n; i++) {
        boolean fetched = HEAD + lengths[i] <= SMALL;
        to.accept(fetched ? near : buffer, fetched ? i * SMALL : starts[from + i], lengths[i]);
      }
    }
  }

  private void spill() {
    sort();
    try {
      Path file = Files.createTempFile(folder, "rows", ".run");
      runs.add(new SortedRun(file));
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), FIRST))) {
        for (int i = 0; i < count; i++) {
          out.write(buffer, starts[i], HEAD + intAt(buffer, starts[i] + KEY));
        }
      }
    } catch (IOException e) {
      throw StoreErrors.failed("write a temporary file in " + folder, null, e);
    }
    count = 0;
    used = 0;
  }

  private void sort() {
    IdSort.sort(buffer, KEY, starts, count);
  }

  /** Whether two records have the same ids. */
  public static boolean sameKey(byte[] a, int i, byte[] b, int j) {
    return Arrays.equals(a, i, i + KEY, b, j, j + KEY);
  }

  private static int compare(byte[] a, int i, byte[] b, int j) {
    return Arrays.compareUnsigned(a, i, i + KEY, b, j, j + KEY);
  }

  static int contentLength(byte[] record) {
    return intAt(record, KEY);
  }

  /** A number as {@link #putInt} wrote it. */
  public static int intAt(byte[] from, int at) {
    return ((from[at] & 0xFF) << 24)
        | ((from[at + 1] & 0xFF) << 16)
        | ((from[at + 2] & 0xFF) << 8)
        | (from[at + 3] & 0xFF);
  }

  /** Writes a number, most significant byte first. */
  public static void putInt(byte[] to, int at, int value) {
    to[at] = (byte) (value >>> 24);
    to[at + 1] = (byte) (value >>> 16);
    to[at + 2] = (byte) (value >>> 8);
    to[at + 3] = (byte) value;
  }

  @Override
  public void close() {
    runs.forEach(SortedRun::close);
    runs.clear();
    buffer = new byte[0];
  }
}
