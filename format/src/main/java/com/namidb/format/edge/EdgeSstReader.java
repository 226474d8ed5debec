package com.namidb.format.edge;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Reads one edge SST, whole or by ranges of its key. Source: edge §6. Not thread-safe; cursors of
 * one reader may be used in turn. Every byte is checked against its checksum before a row made of
 * it is returned; what contradicts the format is a {@link
 * com.namidb.format.error.CorruptObjectException}, what is newer or unknown an {@link
 * com.namidb.format.error.UnsupportedFormatException}.
 */
public final class EdgeSstReader implements AutoCloseable {
  private final EdgeFile file;
  private final List<String> declared;
  private final KeyIndex index;

  private EdgeSstReader(EdgeFile file, List<String> declared) {
    this.file = file;
    this.declared = declared;
    index = new KeyIndex(file);
  }

  /** Reads and checks header, footer and page checksums: one request if small, else two or more. */
  public static EdgeSstReader open(ObjectStore store, EdgeSstFile file) {
    return open(store, file, ReadSizes.DEFAULT);
  }

  /**
   * The same with smaller windows, for many readers side by side.
   *
   * @param window most bytes of a section to fetch at once
   */
  public static EdgeSstReader open(ObjectStore store, EdgeSstFile file, int window) {
    return open(store, file, ReadSizes.DEFAULT.within(window));
  }

  static EdgeSstReader open(ObjectStore store, EdgeSstFile file, ReadSizes sizes) {
    return new EdgeSstReader(EdgeFile.open(store, file, sizes), file.declared());
  }

  /**
   * Opens a cursor over the keys of {@code ranges}; payloads are whole property objects, streams
   * merged in. Columns not asked are not fetched; {@code LABELS} means nothing here. Keys near the
   * ranges may come too, so ask for {@code KEY} unless every key is wanted. Batches have at most
   * 4096 records and end where a property page ends. Memory: a few windows and one decoded page per
   * stream, whatever the degree of a key.
   */
  public RecordCursor scan(Set<Column> columns, KeyRanges ranges) {
    List<KeyRun> runs = index.runs(ranges);
    if (runs.size() == 1 && runs.get(0).equals(index.all())) {
      file.prepareWholeScan();
    }
    Set<Column> wanted = EnumSet.noneOf(Column.class);
    wanted.addAll(columns);
    return new RowBatches(file, declared, wanted, runs);
  }

  /**
   * Cuts a key range into at most {@code pieces} of about equal edge count, whole keys only. The
   * pieces cover the range and do not overlap. A hub with more edges than a piece stays in one
   * piece; a file without ordinals (generation 0) is not cut. Source: edge §6.4. Reads
   * EDGE_ORDINALS by binary search, page-verified.
   */
  public List<KeyRange> cut(KeyRange range, int pieces) {
    return index.cut(range, pieces);
  }

  @Override
  public void close() {}
}
