package com.namidb.format.edge;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a key's rows are: fence, keys, offsets and ordinals, each read page by page as needed.
 * Source: edge §2.1–2.3, §2.7, §6.4.
 */
final class KeyIndex {
  /** Rows between two runs that are read rather than skipped with further requests. */
  private static final long NEAR_ROWS = 4096;

  /** A search needs several probes, so fetching this much at once is faster. */
  private static final int SEARCHED_WHOLE = 1 << 20;

  /** A single probe costs a request of about this much transfer. */
  private static final int PROBED_WHOLE = 1 << 18;

  private final EdgeFile file;
  private final EdgeFooter footer;
  private final RandomReader keys;
  private final RandomReader offsets;
  private final Optional<RandomReader> ordinals;
  private Fence fence;

  KeyIndex(EdgeFile file) {
    this.file = file;
    footer = file.footer();
    SectionTable table = file.table();
    keys = file.random(table.require(SectionKind.KEY_IDS), SEARCHED_WHOLE);
    offsets = file.random(table.require(SectionKind.OFFSETS), PROBED_WHOLE);
    ordinals =
        table.find(SectionKind.EDGE_ORDINALS).map(section -> file.random(section, PROBED_WHOLE));
  }

  /** The whole file as one run; reads nothing. */
  KeyRun all() {
    return new KeyRun(
        0,
        footer.keyCount(),
        0,
        file.table().require(SectionKind.PARTNERS).length(),
        new KeyRun.Rows(0, footer.edgeCount()));
  }

  /** The rows of all keys inside {@code ranges}, and maybe some more, as ascending runs. */
  List<KeyRun> runs(KeyRanges ranges) {
    if (footer.keyCount() == 0) {
      return List.of();
    }
    List<KeyRun> out = new ArrayList<>();
    KeyRange own = ownRange();
    for (KeyRange r : ranges.ranges()) {
      if (!r.overlaps(own)) {
        continue;
      }
      if (ordinals.isEmpty() || (r.contains(own.min()) && r.contains(own.max()))) {
        return List.of(all());
      }
      long first = lowerBound(r.min());
      long end = upperBound(r.max(), first);
      if (first < end) {
        add(out, first, end);
      }
    }
    return out;
  }

  private KeyRange ownRange() {
    if (footer.minKey().compareTo(footer.maxKey()) > 0) {
      throw file.object().damaged("the footer's key range is empty");
    }
    return new KeyRange(footer.minKey(), footer.maxKey());
  }

  private void add(List<KeyRun> out, long first, long end) {
    KeyRun run = run(first, end);
    int last = out.size() - 1;
    if (last >= 0) {
      KeyRun before = out.get(last);
      if (run.rows().first() - before.rows().end() <= NEAR_ROWS) {
        out.set(last, join(before, run));
        return;
      }
    }
    out.add(run);
  }

  private static KeyRun join(KeyRun a, KeyRun b) {
    KeyRun.Rows rows = new KeyRun.Rows(a.rows().first(), b.rows().end());
    return new KeyRun(a.firstKey(), b.endKey(), a.firstByte(), b.endByte(), rows);
  }

  /** Checks the outer entries where that costs no request; elsewhere each run checks its own. */
  private void checkEnds(long blocks) {
    if (offsets.whole() && (offset(0) != 0 || offset(footer.keyCount()) != blocks)) {
      throw file.object().damaged("OFFSETS do not cover PARTNERS");
    }
    if (ordinals.orElseThrow().whole()
        && (ordinal(0) != 0 || ordinal(footer.keyCount()) != footer.edgeCount())) {
      throw file.object().damaged("EDGE_ORDINALS do not cover the rows");
    }
  }

  private KeyRun run(long first, long end) {
    long p0 = offset(first);
    long p1 = offset(end);
    long e0 = ordinal(first);
    long e1 = ordinal(end);
    long blocks = file.table().require(SectionKind.PARTNERS).length();
    checkEnds(blocks);
    if (p0 < 0 || p0 > p1 || p1 > blocks || e0 < 0 || e0 > e1 || e1 > footer.edgeCount()) {
      throw file.object().damaged("OFFSETS or EDGE_ORDINALS do not ascend");
    }
    return new KeyRun(first, end, p0, p1, new KeyRun.Rows(e0, e1));
  }

  /**
   * Cuts a range into at most {@code pieces} of about equal rows; every key is in exactly one.
   * Without ordinals nothing can be skipped, so one piece is the best.
   */
  List<KeyRange> cut(KeyRange range, int pieces) {
    if (pieces < 1) {
      throw new IllegalArgumentException("pieces: " + pieces);
    }
    if (ordinals.isEmpty() || footer.keyCount() == 0 || pieces == 1) {
      return List.of(range);
    }
    long first = lowerBound(range.min());
    long end = upperBound(range.max(), first);
    if (end - first < 2) {
      return List.of(range);
    }
    KeyRun.Rows rows = run(first, end).rows();
    List<KeyRange> out = new ArrayList<>();
    NodeId from = range.min();
    long done = first;
    for (int n = 1; n < pieces; n++) {
      // Products stay exact: both factors are split first.
      long step = rows.count() / pieces * n + rows.count() % pieces * n / pieces;
      long at = nearestKey(rows.first() + step, done, end);
      if (at > done && at < end) {
        NodeId start = key(at);
        if (start.compareTo(from) <= 0) {
          throw file.object().damaged("KEY_IDS do not ascend");
        }
        out.add(new KeyRange(from, start.previous()));
        from = start;
        done = at;
      }
    }
    out.add(new KeyRange(from, range.max()));
    return out;
  }

  /** The key index in {@code [low, high]} whose first row is nearest to an ordinal. */
  private long nearestKey(long ordinal, long low, long high) {
    long a = low;
    long z = high;
    while (a < z) {
      long m = (a + z) >>> 1;
      if (ordinal(m) < ordinal) {
        a = m + 1;
      } else {
        z = m;
      }
    }
    return a > low && ordinal - ordinal(a - 1) < ordinal(a) - ordinal ? a - 1 : a;
  }

  /** Smallest index whose key is not below {@code id}. */
  private long lowerBound(NodeId id) {
    return search(id, false, 0);
  }

  /** Smallest index whose key is above {@code id}. */
  private long upperBound(NodeId id, long from) {
    return search(id, true, from);
  }

  private long search(NodeId id, boolean above, long from) {
    long a = from;
    long z = footer.keyCount();
    Fence f = fence();
    long[] window = f.window(id, footer.keyCount());
    a = Math.max(a, window[0]);
    z = Math.max(a, Math.min(z, window[1]));
    while (a < z) {
      long m = (a + z) >>> 1;
      int c = compareKey(m, id);
      if (c < 0 || (above && c == 0)) {
        a = m + 1;
      } else {
        z = m;
      }
    }
    return a;
  }

  private Fence fence() {
    if (fence == null) {
      fence = Fence.load(file);
    }
    return fence;
  }

  private int compareKey(long index, NodeId id) {
    Slice s = keys.bytes(index * NodeId.BYTES, NodeId.BYTES);
    return NodeId.compare(
        IdBytes.longAt(s.array, s.offset),
        IdBytes.longAt(s.array, s.offset + Long.BYTES),
        id.hi(),
        id.lo());
  }

  private NodeId key(long index) {
    Slice s = keys.bytes(index * NodeId.BYTES, NodeId.BYTES);
    return NodeId.of(s.array, s.offset);
  }

  private long offset(long index) {
    int width = footer.offsetWidth();
    Slice s = offsets.bytes(index * width, width);
    return LeBytes.wide(s.array, s.offset, width);
  }

  private long ordinal(long index) {
    Slice s = ordinals.orElseThrow().bytes(index * Long.BYTES, Long.BYTES);
    return LeBytes.u64(s.array, s.offset);
  }
}
