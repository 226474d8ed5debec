package com.namidb.format.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Opens the asked columns of a row group with as few reads as their places allow. */
final class GroupFetch {
  /** Reading this much in between costs less than another request. */
  private static final int GAP = 512 << 10;

  private GroupFetch() {}

  /** Small neighbours share one read; large chunks read themselves window by window. */
  static Map<ChunkMeta, ChunkInput> open(SstObject object, List<ChunkMeta> chunks, int window) {
    Map<ChunkMeta, ChunkInput> out = new HashMap<>();
    List<ChunkMeta> sorted = new ArrayList<>(chunks);
    sorted.sort(Comparator.comparingLong(ChunkMeta::offset));
    int i = 0;
    while (i < sorted.size()) {
      long from = sorted.get(i).offset();
      long to = from;
      int j = i;
      while (j < sorted.size() && joins(sorted.get(j), from, to, window)) {
        to = Math.max(to, sorted.get(j).offset() + sorted.get(j).size());
        j++;
      }
      if (j == i) {
        out.put(sorted.get(i), new ChunkInput(object, sorted.get(i), window));
        i++;
        continue;
      }
      byte[] bytes = object.range(from, (int) (to - from));
      for (; i < j; i++) {
        ChunkInput in = new ChunkInput(object, sorted.get(i), window);
        in.fill(bytes, (int) (sorted.get(i).offset() - from));
        out.put(sorted.get(i), in);
      }
    }
    return out;
  }

  private static boolean joins(ChunkMeta c, long from, long to, int window) {
    return c.size() <= window
        && c.offset() - to <= Math.min(GAP, window)
        && c.offset() + c.size() - from <= 2L * window;
  }
}
