package com.namidb.format.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads many ranges of one object with few requests: ranges that lie near each other come with one
 * GET, because a request costs more than the bytes between them.
 */
public final class CoalescedReads {
  /** Bytes nobody asked for that are still cheaper to read than a second request. */
  public static final int DEFAULT_GAP_BYTES = 256 << 10;

  /** Largest request made by joining; bounds what one array holds. */
  public static final int DEFAULT_MAX_BYTES = 16 << 20;

  private final ObjectStore store;
  private final int gapBytes;
  private final int maxBytes;

  /** Reads with the default thresholds. */
  public CoalescedReads(ObjectStore store) {
    this(store, DEFAULT_GAP_BYTES, DEFAULT_MAX_BYTES);
  }

  /**
   * Reads with own thresholds.
   *
   * @param gapBytes ranges further apart than this are read separately; 0 joins touching ones only
   * @param maxBytes no joined request is larger; a single range may be
   */
  public CoalescedReads(ObjectStore store, int gapBytes, int maxBytes) {
    this.store = store;
    this.gapBytes = gapBytes;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads the ranges, which may come in any order and overlap.
   *
   * @return per range, in the order asked, a buffer over a shared array from position 0 to its
   *     length, not to be modified; empty if the object is not there or ends before one of the
   *     ranges does
   */
  public Optional<List<ByteBuffer>> read(String key, List<ByteRange> ranges) {
    int[] order =
        IntStream.range(0, ranges.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> ranges.get(i).offset()))
            .mapToInt(Integer::intValue)
            .toArray();
    ByteBuffer[] slices = new ByteBuffer[order.length];
    int from = 0;
    while (from < order.length) {
      long start = ranges.get(order[from]).offset();
      long end = ranges.get(order[from]).end();
      int to = from + 1;
      while (to < order.length && joins(start, end, ranges.get(order[to]))) {
        end = Math.max(end, ranges.get(order[to]).end());
        to++;
      }
      Optional<byte[]> bytes = store.getRange(key, new ByteRange(start, (int) (end - start)));
      if (bytes.isEmpty()) {
        return Optional.empty();
      }
      for (int i = from; i < to; i++) {
        ByteRange range = ranges.get(order[i]);
        int at = (int) (range.offset() - start);
        slices[order[i]] = ByteBuffer.wrap(bytes.get(), at, range.length()).slice();
      }
      from = to;
    }
    return Optional.of(new ArrayList<>(Arrays.asList(slices)));
  }

  private boolean joins(long start, long end, ByteRange next) {
    boolean inside = next.end() <= end;
    return inside || (next.offset() - end <= gapBytes && next.end() - start <= maxBytes);
  }
}
