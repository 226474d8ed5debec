package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Walks the row groups that may hold asked keys, one at a time. */
final class NodeCursor implements RecordCursor {
  /** Most rows of a batch. */
  static final int BATCH = 4096;

  /** With windows this small so many cursors are open that native decoders would add up, too. */
  private static final int LEAN_BELOW = 1 << 20;

  private final NodeSstFile file;
  private final SstObject object;
  private final List<GroupMeta> groups;
  private final KeyRanges ranges;
  private final Wanted wanted;
  private final RecordBatch batch;
  private final PageCodec codec;
  private final KeyOrder order;
  private int group = -1;
  private int stop;
  private long left;
  private List<ColumnDecoder> decoders = List.of();
  private List<PageStream> streams = List.of();
  private PayloadColumn payload;

  /** What to fill in, where label sets are numbered, and how much to read at once. */
  record Wanted(Set<Column> columns, LabelSets labels, int window) {}

  NodeCursor(
      NodeSstFile file, SstObject object, List<GroupMeta> groups, KeyRanges ranges, Wanted wanted) {
    this.file = file;
    this.object = object;
    this.groups = groups;
    this.ranges = ranges;
    this.wanted = wanted;
    this.codec = new PageCodec(wanted.window < LEAN_BELOW);
    this.order = new KeyOrder(file.keys());
    this.stop = groups.size();
    // Small files come by the thousand: their cursors must not hold arrays for rows they lack.
    long largest = groups.stream().mapToLong(GroupMeta::rows).max().orElse(0);
    this.batch = new RecordBatch((int) Math.min(BATCH, largest), false);
  }

  /** Restricts a fresh cursor to one row group. */
  NodeCursor only(int index) {
    group = index - 1;
    stop = index + 1;
    return this;
  }

  @Override
  public boolean next() {
    try {
      while (left > 0 || open()) {
        if (load()) {
          return true;
        }
      }
      return false;
    } catch (DamageException | IndexOutOfBoundsException e) {
      throw object.damaged(e);
    }
  }

  private boolean open() {
    while (++group < stop) {
      GroupMeta g = groups.get(group);
      if (g.keys() == null ? !ranges.isEmpty() : ranges.overlaps(g.keys())) {
        start(g);
        return true;
      }
    }
    decoders = List.of();
    return false;
  }

  private void start(GroupMeta g) {
    left = g.rows();
    decoders = new ArrayList<>();
    streams = new ArrayList<>();
    payload = null;
    order.start(g.keys(), group == 0, group == groups.size() - 1);
    List<ChunkMeta> chunks = new ArrayList<>();
    boolean tombstones =
        wanted.columns.contains(Column.TOMBSTONE) && file.mayHaveTombstones() && !g.live();
    want(chunks, g, NodeSchema.ID, wanted.columns.contains(Column.KEY));
    want(chunks, g, NodeSchema.TOMBSTONE, tombstones);
    want(chunks, g, NodeSchema.LSN, wanted.columns.contains(Column.LSN));
    want(chunks, g, NodeSchema.LABELS, wanted.columns.contains(Column.LABELS));
    boolean json = wanted.columns.contains(Column.PAYLOAD);
    want(chunks, g, NodeSchema.JSON, json);
    if (json && file.typed() != null) {
      file.typed().forEach(t -> want(chunks, g, NodeSchema.TYPED_PREFIX + t.name(), true));
    }
    Map<ChunkMeta, ChunkInput> inputs = GroupFetch.open(object, chunks, wanted.window);
    TypedPayload typed = null;
    for (ChunkMeta c : chunks) {
      String name = c.column().getPath()[0];
      boolean text = name.equals(NodeSchema.JSON);
      PageStream pages = new PageStream(inputs.get(c), c, codec, !text);
      streams.add(pages);
      switch (name) {
        case NodeSchema.ID -> decoders.add(new IdColumn(pages));
        case NodeSchema.TOMBSTONE -> decoders.add(new TombstoneColumn(pages));
        case NodeSchema.LSN -> decoders.add(new LsnColumn(pages, file));
        case NodeSchema.LABELS -> decoders.add(new LabelColumn(pages, wanted.labels));
        case NodeSchema.JSON -> {
          payload = new JsonColumn(pages);
          if (file.typed() != null && !file.typed().isEmpty()) {
            typed = new TypedPayload(payload);
            payload = typed;
          }
          decoders.add(payload);
        }
        default -> typed.add(file.typed(), name, pages);
      }
    }
  }

  /** Adds the chunk of a top-level column if it is wanted and there. */
  private void want(List<ChunkMeta> out, GroupMeta g, String name, boolean wanted) {
    if (!wanted) {
      return;
    }
    for (ChunkMeta c : g.chunks().values()) {
      if (c.column().getPath()[0].equals(name)) {
        if (!PageCodec.knows(c.codec())) {
          throw object.unsupported("column " + name + " is compressed with " + c.codec());
        }
        out.add(c);
      }
    }
  }

  /** Fills the batch; false if none of its keys is asked for. */
  private boolean load() {
    int n = (int) Math.min(left, BATCH);
    if (payload != null) {
      n = Math.min(n, payload.available());
    }
    batch.anyTombstone(false);
    batch.resize(n);
    for (ColumnDecoder d : decoders) {
      d.fill(batch, n);
    }
    left -= n;
    if (left == 0) {
      finish();
    }
    if (!wanted.columns.contains(Column.KEY)) {
      return true;
    }
    order.check(batch, left == 0);
    NodeId first = new NodeId(batch.keyHi()[0], batch.keyLo()[0]);
    NodeId last = new NodeId(batch.keyHi()[n - 1], batch.keyLo()[n - 1]);
    return ranges.isAll() || ranges.overlaps(new KeyRange(first, last));
  }

  private void finish() {
    for (PageStream s : streams) {
      for (Page p = s.next(); p != null; p = s.next()) {
        if (p.values() > 0) {
          throw new DamageException(s.column() + " has more values than its row group has rows");
        }
      }
    }
  }

  @Override
  public RecordBatch batch() {
    return batch;
  }

  @Override
  public void close() {
    left = 0;
    group = stop;
    streams.forEach(PageStream::close);
    decoders = List.of();
    streams = List.of();
    codec.close();
  }
}
