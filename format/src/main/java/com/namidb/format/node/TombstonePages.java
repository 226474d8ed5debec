package com.namidb.format.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** {@code tombstone} of a row group: plain bits. */
final class TombstonePages {
  private final boolean[] flags;
  private int rows;

  TombstonePages(int groupRows) {
    flags = new boolean[groupRows];
  }

  void add(boolean tombstone) {
    flags[rows++] = tombstone;
  }

  void write(PageSink sink, int index, int pageRows) throws IOException {
    List<PageSink.Encoded> pages = new ArrayList<>();
    for (int from = 0; from < rows; from += pageRows) {
      int n = Math.min(pageRows, rows - from);
      byte[] bits = new byte[(n + 7) / 8];
      int set = 0;
      for (int i = 0; i < n; i++) {
        if (flags[from + i]) {
          bits[i >> 3] |= (byte) (1 << (i & 7));
          set++;
        }
      }
      Statistics<?> s = sink.statistics(index);
      s.updateStats(set == n);
      s.updateStats(set > 0);
      pages.add(
          new PageSink.Encoded(
              n, n, sink.compress(bits, bits.length), bits.length, s, Encoding.PLAIN));
    }
    sink.startColumn(index, rows, CompressionCodecName.ZSTD);
    sink.pages(pages);
    sink.endColumn();
    rows = 0;
  }
}
