package com.namidb.format.merge;

import com.namidb.format.record.Column;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.record.Selection;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The winners of several sources in key order, copied into batches of its own. For key ranges that
 * too many sources share, and for folding the WAL. Source: manifest §5.3.
 */
public final class MergedCursor implements WinnerCursor {
  private static final int BATCH = 4096;
  private static final int PAYLOAD_BYTES = 4 << 20;

  private final Set<Column> columns;
  private final List<Source> sources;
  private final Input[] heap;
  private final RecordBatch out;
  private final Selection selection = new Selection(BATCH);
  private byte[] payload = new byte[0];
  private int used;
  private int live = -1;
  private long rowsRead;
  private long hidden;

  /**
   * Prepares; nothing is read yet.
   *
   * @param sources all need {@code KEY}, {@code LSN}, {@code TOMBSTONE} and what {@code columns}
   *     asks for; owned from here on
   * @param columns what to copy; keys, LSNs and tombstones always are
   * @param edges whether records are edges
   */
  public MergedCursor(List<Source> sources, Set<Column> columns, boolean edges) {
    this.sources = sources;
    this.columns = columns;
    this.heap = new Input[sources.size()];
    this.out = new RecordBatch(BATCH, edges);
  }

  @Override
  public boolean next() {
    if (live < 0) {
      start();
    }
    int size = 0;
    used = 0;
    boolean anyTombstone = false;
    // The last key of the batch may go on in other sources: the loop always drops those first.
    while (size < BATCH && live > 0 && used < PAYLOAD_BYTES) {
      Input top = heap[0];
      copy(top, size);
      anyTombstone |= out.tombstone()[size];
      advanceTop();
      while (live > 0 && Precedence.compareKeys(heap[0].batch, heap[0].at, out, size) == 0) {
        hidden++;
        advanceTop();
      }
      size++;
    }
    out.resize(size);
    out.anyTombstone(anyTombstone);
    out.payload(payload);
    selection.selectAll(size);
    return size > 0;
  }

  private void start() {
    live = 0;
    for (Source s : sources) {
      Input input = new Input(s);
      if (input.load()) {
        heap[live++] = input;
      }
    }
    for (int i = live / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  private void copy(Input from, int to) {
    RecordBatch b = from.batch;
    int i = from.at;
    out.keyHi()[to] = b.keyHi()[i];
    out.keyLo()[to] = b.keyLo()[i];
    if (out.edges()) {
      out.partnerHi()[to] = b.partnerHi()[i];
      out.partnerLo()[to] = b.partnerLo()[i];
    }
    out.lsn()[to] = b.lsn()[i];
    out.tombstone()[to] = b.anyTombstone() && b.tombstone()[i];
    out.source()[to] = from.rank;
    if (columns.contains(Column.LABELS)) {
      out.labelSet()[to] = b.labelSet()[i];
    }
    if (columns.contains(Column.PAYLOAD)) {
      int length = b.payloadLength()[i];
      out.payloadLength()[to] = length;
      if (length > 0) {
        room(length);
        System.arraycopy(b.payload(), b.payloadOffset()[i], payload, used, length);
        out.payloadOffset()[to] = used;
        used += length;
      }
    }
  }

  private void room(int length) {
    long needed = (long) used + length;
    if (needed > payload.length) {
      long wanted = Math.max(needed, Math.min(2L * payload.length, 2L * PAYLOAD_BYTES));
      payload = Arrays.copyOf(payload, (int) Math.min(Integer.MAX_VALUE - 8, wanted));
    }
  }

  private void advanceTop() {
    rowsRead++;
    Input top = heap[0];
    if (++top.at >= top.batch.size() && !top.load()) {
      heap[0] = heap[--live];
      heap[live] = null;
    }
    sink(0);
  }

  private void sink(int from) {
    int i = from;
    while (2 * i + 1 < live) {
      int child = 2 * i + 1;
      if (child + 1 < live && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], heap[i])) {
        return;
      }
      Input t = heap[i];
      heap[i] = heap[child];
      heap[child] = t;
      i = child;
    }
  }

  /** By key, winners of one key first. */
  private static boolean before(Input a, Input b) {
    int c = Precedence.compareKeys(a.batch, a.at, b.batch, b.at);
    if (c != 0) {
      return c < 0;
    }
    return Precedence.beats(a.batch.lsn()[a.at], a.rank, b.batch.lsn()[b.at], b.rank);
  }

  @Override
  public RecordBatch batch() {
    return out;
  }

  @Override
  public Selection selection() {
    return selection;
  }

  @Override
  public long rowsRead() {
    return rowsRead;
  }

  @Override
  public long hiddenByNewer() {
    return hidden;
  }

  @Override
  public void close() {
    for (Source s : sources) {
      s.cursor().close();
    }
  }

  private static final class Input {
    private final RecordCursor cursor;
    private final int rank;
    private RecordBatch batch;
    private int at;

    Input(Source source) {
      cursor = source.cursor();
      rank = source.rank();
    }

    boolean load() {
      at = 0;
      if (cursor.next()) {
        batch = cursor.batch();
        return true;
      }
      cursor.close();
      return false;
    }
  }
}
