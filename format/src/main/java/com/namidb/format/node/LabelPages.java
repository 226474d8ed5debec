package com.namidb.format.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** {@code __labels} of a row group: dictionary of the label ids, pages that start with a row. */
final class LabelPages {
  private static final int EMPTY = 0;
  private static final int PRESENT = 2;

  private final int[] counts;
  private final Map<Integer, Integer> dictionary = new LinkedHashMap<>();
  private int[] numbers = new int[1 << 10];
  private int rows;
  private int size;
  private int lastId = -1;
  private int lastNumber = -1;

  LabelPages(int groupRows) {
    counts = new int[groupRows];
  }

  /** Adds one row; the ids are checked already. */
  void add(int[] ids, int count) {
    if (size + count > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(numbers.length * 2, size + count));
    }
    for (int i = 0; i < count; i++) {
      if (ids[i] != lastId || lastNumber < 0) {
        lastId = ids[i];
        Integer known = dictionary.putIfAbsent(lastId, dictionary.size());
        lastNumber = known != null ? known : dictionary.size() - 1;
      }
      numbers[size++] = lastNumber;
    }
    counts[rows++] = count;
  }

  void write(PageSink sink, int index, int pageRows) throws IOException {
    long values = size;
    for (int i = 0; i < rows; i++) {
      values += counts[i] == 0 ? 1 : 0;
    }
    int[] ids = dictionary.keySet().stream().mapToInt(Integer::intValue).toArray();
    sink.startColumn(index, values, CompressionCodecName.ZSTD);
    PageBuffer raw = new PageBuffer(4 * Math.max(1, ids.length));
    for (int id : ids) {
      raw.addInt(id);
    }
    if (ids.length > 0) {
      sink.dictionary(raw.bytes(), ids.length);
    }
    PageBuffer page = new PageBuffer(1 << 12);
    List<PageSink.Encoded> pages = new ArrayList<>();
    int at = 0;
    for (int from = 0; from < rows; from += pageRows) {
      int to = Math.min(from + pageRows, rows);
      page.clear();
      Statistics<?> s = sink.statistics(index);
      int n = page(page, from, to, at, s, ids);
      for (int i = from; i < to; i++) {
        at += counts[i];
      }
      Encoding e = ids.length > 0 ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
      pages.add(
          new PageSink.Encoded(
              to - from, n, sink.compress(page.bytes(), page.size()), page.size(), s, e));
    }
    sink.pages(pages);
    sink.endColumn();
    rows = 0;
    size = 0;
    lastNumber = -1;
    dictionary.clear();
  }

  /** Encodes rows; returns the number of values, an empty list counting as one. */
  private int page(PageBuffer page, int from, int to, int first, Statistics<?> s, int[] ids) {
    int width = Math.max(1, RunEncoder.width(Math.max(1, ids.length)));
    RunEncoder repetition = new RunEncoder(1);
    RunEncoder definition = new RunEncoder(2);
    RunEncoder indexes = new RunEncoder(width);
    boolean[] seen = new boolean[ids.length];
    int at = first;
    int values = 0;
    int empty = 0;
    for (int row = from; row < to; row++) {
      repetition.add(0);
      definition.add(counts[row] == 0 ? EMPTY : PRESENT);
      for (int i = 0; i < counts[row]; i++) {
        if (i > 0) {
          repetition.add(1);
          definition.add(PRESENT);
        }
        indexes.add(numbers[at]);
        seen[numbers[at++]] = true;
      }
      empty += counts[row] == 0 ? 1 : 0;
      values += Math.max(1, counts[row]);
    }
    page.addLevels(repetition.finish());
    page.addLevels(definition.finish());
    if (ids.length > 0) {
      page.addByte(width);
      page.addAll(indexes.finish());
    }
    for (int i = 0; i < ids.length; i++) {
      if (seen[i]) {
        s.updateStats(ids[i]);
      }
    }
    s.incrementNumNulls(empty);
    return values;
  }
}
