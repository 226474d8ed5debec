package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where bytes lie in a key range, from samples (an SST or row group each) taken as spread evenly
 * over their own ranges. Gives cut points for pieces of about equal bytes; being wrong costs
 * balance, never rows.
 */
final class KeyDensity {
  private static final double TWO_64 = 0x1p64;

  private final KeyRange all;
  private final double span;
  private final List<double[]> events = new ArrayList<>();
  private double total;

  KeyDensity(KeyRange all) {
    this.all = all;
    this.span = Math.max(1.0, offset(all.max()));
  }

  /** Which share of {@code whole} the range {@code part} of it takes, 0 to 1. */
  static double share(KeyRange part, KeyRange whole) {
    KeyDensity d = new KeyDensity(whole);
    return (d.offset(part.max()) - d.offset(part.min()) + 1) / (d.span + 1);
  }

  /** Adds a sample; of one that reaches beyond the whole range only the share inside counts. */
  void add(KeyRange sample, long sampleBytes) {
    all.intersect(sample)
        .ifPresent(
            inside ->
                addInside(
                    inside,
                    inside.equals(sample)
                        ? sampleBytes
                        : (long) (sampleBytes * share(inside, sample))));
  }

  /** All bytes added. */
  long bytes() {
    return (long) total;
  }

  private void addInside(KeyRange range, long bytes) {
    double from = offset(range.min()) / span;
    double width = Math.max(offset(range.max()) / span - from, 0x1p-50);
    double density = bytes / width;
    events.add(new double[] {from, density});
    events.add(new double[] {from + width, -density});
    total += bytes;
  }

  /** Keys at which pieces after the first start: strictly ascending, inside the range. */
  List<NodeId> cuts(int pieces) {
    List<NodeId> out = new ArrayList<>();
    double[][] sorted = events.toArray(new double[0][]);
    Arrays.sort(sorted, (a, b) -> Double.compare(a[0], b[0]));
    double density = 0;
    double sum = 0;
    double at = 0;
    int next = 1;
    for (double[] event : sorted) {
      double width = event[0] - at;
      while (next < pieces && density > 0 && sum + density * width >= total * next / pieces) {
        addCut(out, at + (total * next / pieces - sum) / density);
        next++;
      }
      sum += density * width;
      density = Math.max(0, density + event[1]);
      at = event[0];
    }
    return out;
  }

  private void addCut(List<NodeId> out, double fraction) {
    NodeId cut = at(fraction);
    NodeId last = out.isEmpty() ? all.min() : out.get(out.size() - 1);
    if (cut.compareTo(last) > 0 && cut.compareTo(all.max()) <= 0) {
      out.add(cut);
    }
  }

  /** Distance from the start of the range. */
  private double offset(NodeId id) {
    long lo = id.lo() - all.min().lo();
    long borrow = Long.compareUnsigned(id.lo(), all.min().lo()) < 0 ? 1 : 0;
    long hi = id.hi() - all.min().hi() - borrow;
    return unsigned(hi) * TWO_64 + unsigned(lo);
  }

  private static double unsigned(long value) {
    return value >= 0 ? value : (value >>> 1) * 2.0;
  }

  private NodeId at(double fraction) {
    BigInteger start = new BigInteger(1, all.min().toBytes());
    BigInteger id = start.add(new BigDecimal(fraction * span).toBigInteger());
    BigInteger capped = id.min(new BigInteger(1, all.max().toBytes()));
    return new NodeId(capped.shiftRight(Long.SIZE).longValue(), capped.longValue());
  }
}
