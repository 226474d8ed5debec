package com.namidb.format.edge;

import com.namidb.format.record.RecordBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The property objects of the rows: the overflow texts as they are or, where declared properties
 * have streams of their own, both joined. Source: edge §2.8.
 */
final class Payloads implements AutoCloseable {
  private static final String OVERFLOW = "__overflow_json";

  private final PropertyColumn overflow;
  private final List<PropertyColumn> columns;
  private final ObjectJoiner joiner;
  private final int[][] offsets;
  private final int[][] lengths;

  private Payloads(PropertyColumn overflow, List<PropertyColumn> named, ObjectJoiner joiner) {
    this.overflow = overflow;
    this.joiner = joiner;
    columns = new ArrayList<>(named);
    if (overflow != null) {
      columns.add(overflow);
    }
    offsets = new int[columns.size()][RowBatches.CAPACITY];
    lengths = new int[columns.size()][RowBatches.CAPACITY];
  }

  /** Finds the streams; reads nothing. */
  static Payloads of(EdgeFile file, List<String> declared) {
    SectionTable table = file.table();
    List<PropertyColumn> named = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String name : declared) {
      if (!name.equals(OVERFLOW) && !names.contains(name) && table.stream(name).isPresent()) {
        named.add(column(file, table.stream(name).get()));
        names.add(name);
      }
    }
    PropertyColumn overflow = table.stream(OVERFLOW).map(s -> column(file, s)).orElse(null);
    return new Payloads(overflow, named, new ObjectJoiner(file.object(), names));
  }

  private static PropertyColumn column(EdgeFile file, Section section) {
    return section.codec() >= Section.CODEC_PAGES
        ? new PropertyPages(file, section)
        : new ArrowColumn(file, section);
  }

  /** Goes to these rows. */
  void seek(KeyRun.Rows rows) {
    for (PropertyColumn c : columns) {
      c.seek(rows.first(), rows.end());
    }
  }

  /** Rows whose texts can be taken without leaving a page of any stream. */
  int left() {
    int n = Integer.MAX_VALUE;
    for (PropertyColumn c : columns) {
      n = Math.min(n, c.left());
    }
    return n;
  }

  /** Takes the next {@code n} rows. */
  void fill(RecordBatch batch, int n) {
    if (columns.isEmpty()) {
      Arrays.fill(batch.payloadLength(), 0, n, RecordBatch.NO_PAYLOAD);
      return;
    }
    if (columns.size() == 1 && overflow != null) {
      overflow.take(n, batch.payloadOffset(), batch.payloadLength());
      batch.payload(overflow.buffer());
      return;
    }
    for (int c = 0; c < columns.size(); c++) {
      columns.get(c).take(n, offsets[c], lengths[c]);
    }
    joiner.start();
    int named = columns.size() - (overflow == null ? 0 : 1);
    for (int i = 0; i < n; i++) {
      int start = joiner.size();
      for (int c = 0; c < named; c++) {
        if (lengths[c][i] >= 0) {
          joiner.override(c);
        }
      }
      if (overflow != null && lengths[named][i] >= 0) {
        joiner.addObject(overflow.buffer(), offsets[named][i], lengths[named][i]);
      }
      for (int c = 0; c < named; c++) {
        if (lengths[c][i] >= 0) {
          joiner.addMember(c, columns.get(c).buffer(), offsets[c][i], lengths[c][i]);
        }
      }
      boolean any = joiner.finishObject();
      batch.payloadOffset()[i] = start;
      batch.payloadLength()[i] = any ? joiner.size() - start : RecordBatch.NO_PAYLOAD;
    }
    batch.payload(joiner.buffer());
  }

  @Override
  public void close() {
    for (PropertyColumn c : columns) {
      c.close();
    }
  }
}
