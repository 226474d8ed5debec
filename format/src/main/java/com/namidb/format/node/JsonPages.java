package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** {@code __overflow_json} of a row group; pages are compressed as soon as they are full. */
final class JsonPages {
  private static final int PAGE_BYTES = 1 << 20;
  private static final int LARGEST = Integer.MAX_VALUE >> 1;

  private final PageSink sink;
  private final int index;
  private final int pageRows;
  private final PageBuffer values = new PageBuffer(PAGE_BYTES + (PAGE_BYTES >> 2));
  private final PageBuffer page = new PageBuffer(PAGE_BYTES + (PAGE_BYTES >> 2));
  private final List<PageSink.Encoded> pages = new ArrayList<>();
  private RunEncoder levels = new RunEncoder(1);
  private int rows;
  private int nulls;
  private long groupRows;
  private long groupNulls;
  private long groupBytes;

  JsonPages(PageSink sink, int index, int pageRows) {
    this.sink = sink;
    this.index = index;
    this.pageRows = pageRows;
  }

  /** Adds one row. */
  void add(NodeRow row) {
    int n = row.jsonLength();
    if (n == RecordBatch.NO_PAYLOAD) {
      levels.add(0);
      nulls++;
    } else {
      if (n > LARGEST) {
        throw new IllegalStateException("properties of " + n + " bytes");
      }
      if (values.size() > LARGEST - n) {
        flush();
      }
      levels.add(1);
      int at = values.extend(4 + n);
      LittleEndian.putInt(values.bytes(), at, n);
      System.arraycopy(row.json(), row.jsonOffset(), values.bytes(), at + 4, n);
    }
    rows++;
    if (rows == pageRows || values.size() >= PAGE_BYTES) {
      flush();
    }
  }

  /** Compressed bytes waiting for the end of the row group. */
  long held() {
    return groupBytes;
  }

  private void flush() {
    if (rows == 0) {
      return;
    }
    page.clear();
    page.addLevels(levels.finish());
    page.add(values.bytes(), 0, values.size());
    Statistics<?> s = sink.statistics(index);
    s.incrementNumNulls(nulls);
    PageSink.Encoded e =
        new PageSink.Encoded(
            rows, rows, sink.compress(page.bytes(), page.size()), page.size(), s, Encoding.PLAIN);
    pages.add(e);
    groupBytes += e.bytes().size();
    groupRows += rows;
    groupNulls += nulls;
    rows = 0;
    nulls = 0;
    values.clear();
    levels = new RunEncoder(1);
  }

  void write() throws IOException {
    flush();
    sink.startColumn(index, groupRows, CompressionCodecName.ZSTD);
    Statistics<?> whole = sink.statistics(index);
    whole.incrementNumNulls(groupNulls);
    sink.columnStatistics(whole);
    sink.pages(pages);
    sink.endColumn();
    pages.clear();
    groupBytes = 0;
    groupRows = 0;
    groupNulls = 0;
  }
}
