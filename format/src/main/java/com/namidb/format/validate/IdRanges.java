package com.namidb.format.validate;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts all ids into ranges that hold about equally many nodes, by what the descriptors of their
 * SSTs say. Never one range alone: edges are read by destination only if ids are asked for.
 */
final class IdRanges {
  /** Some 32 MB of ids. */
  static final double LIMIT = 2_000_000;

  private static final int DEPTH = 64;

  private final List<SstDescriptor> ssts;
  private final double limit;
  private final List<KeyRange> out = new ArrayList<>();
  private double held;
  private long from;

  private IdRanges(List<SstDescriptor> ssts, double limit) {
    this.ssts = ssts;
    this.limit = limit;
  }

  /**
   * Ranges that cover every id once, ascending; at least two.
   *
   * @param limit nodes per range, as far as descriptors tell
   */
  static List<KeyRange> of(Manifest manifest, double limit) {
    List<SstDescriptor> nodes =
        manifest.ssts().stream().filter(s -> s.kind() == SstKind.NODES).toList();
    IdRanges ranges = new IdRanges(nodes, limit);
    ranges.cut(0, -1, 0);
    if (ranges.out.isEmpty()) {
      ranges.close(Long.MIN_VALUE);
    }
    ranges.out.add(new KeyRange(new NodeId(ranges.from, 0), NodeId.MAX));
    return ranges.out;
  }

  /** Goes through the first halves of ids from {@code min} to {@code max}, both unsigned. */
  private void cut(long min, long max, int depth) {
    double rows = rows(min, max);
    if (rows > limit && depth < DEPTH && min != max) {
      long middle = min + ((max - min) >>> 1);
      cut(min, middle, depth + 1);
      cut(middle + 1, max, depth + 1);
      return;
    }
    if (held > 0 && held + rows > limit) {
      close(min);
    }
    held += rows;
  }

  private void close(long next) {
    NodeId end = new NodeId(next, 0).previous();
    out.add(new KeyRange(new NodeId(from, 0), end));
    from = next;
    held = 0;
  }

  /** Rows if those of each SST were spread evenly. */
  private double rows(long min, long max) {
    double sum = 0;
    for (SstDescriptor sst : ssts) {
      double low = Math.max(number(min), number(sst.keys().min().hi()));
      double high = Math.min(number(max), number(sst.keys().max().hi())) + 1;
      double width = number(sst.keys().max().hi()) - number(sst.keys().min().hi()) + 1;
      sum += high > low ? sst.counts().rows() * Math.min(1, (high - low) / width) : 0;
    }
    return sum;
  }

  private static double number(long unsigned) {
    double half = (unsigned >>> 1) * 2.0;
    return half + (unsigned & 1);
  }
}
