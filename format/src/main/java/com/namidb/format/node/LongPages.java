package com.namidb.format.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** {@code lsn} or {@code __schema_version} of a row group: a dictionary if values repeat. */
final class LongPages {
  private static final int MAX_DICTIONARY = 256;

  private final long[] values;
  private final Map<Long, Integer> dictionary = new LinkedHashMap<>();
  private int rows;

  LongPages(int groupRows) {
    values = new long[groupRows];
  }

  void add(long value) {
    values[rows++] = value;
  }

  void write(PageSink sink, int index, int pageRows) throws IOException {
    sink.startColumn(index, rows, CompressionCodecName.ZSTD);
    boolean few = few();
    if (few) {
      PageBuffer raw = new PageBuffer(8 * dictionary.size());
      for (long v : dictionary.keySet()) {
        raw.addLong(v);
      }
      sink.dictionary(raw.bytes(), dictionary.size());
    }
    PageBuffer page = new PageBuffer(8 * Math.min(pageRows, rows));
    // A column of one value needs one page only.
    int step = dictionary.size() == 1 && few ? rows : pageRows;
    List<PageSink.Encoded> pages = new ArrayList<>();
    for (int from = 0; from < rows; from += step) {
      int to = Math.min(from + step, rows);
      page.clear();
      if (few) {
        indexes(page, from, to);
      } else {
        int at = page.extend(8 * (to - from));
        for (int i = from; i < to; i++) {
          LittleEndian.putLong(page.bytes(), at + 8 * (i - from), values[i]);
        }
      }
      Statistics<?> s = statistics(sink.statistics(index), from, to);
      Encoding e = few ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
      pages.add(
          new PageSink.Encoded(
              to - from, to - from, sink.compress(page.bytes(), page.size()), page.size(), s, e));
    }
    sink.pages(pages);
    sink.endColumn();
    rows = 0;
  }

  private boolean few() {
    dictionary.clear();
    long last = ~values[0];
    for (int i = 0; i < rows; i++) {
      if (values[i] != last) {
        last = values[i];
        dictionary.putIfAbsent(last, dictionary.size());
        if (dictionary.size() > MAX_DICTIONARY) {
          return false;
        }
      }
    }
    return true;
  }

  private void indexes(PageBuffer page, int from, int to) {
    // Zero bits per value would be legal but is rare enough that some readers trip over it.
    int width = Math.max(1, RunEncoder.width(dictionary.size()));
    page.addByte(width);
    RunEncoder runs = new RunEncoder(width);
    long last = ~values[from];
    int number = 0;
    for (int i = from; i < to; i++) {
      if (values[i] != last) {
        last = values[i];
        number = dictionary.get(last);
      }
      runs.add(number);
    }
    page.addAll(runs.finish());
  }

  private Statistics<?> statistics(Statistics<?> s, int from, int to) {
    long min = values[from];
    long max = values[from];
    for (int i = from; i < to; i++) {
      min = Long.compareUnsigned(values[i], min) < 0 ? values[i] : min;
      max = Long.compareUnsigned(values[i], max) > 0 ? values[i] : max;
    }
    s.updateStats(min);
    s.updateStats(max);
    return s;
  }
}
