package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads one node SST, whole or by key ranges. Source: node §2–4. Not thread-safe; cursors are
 * independent of each other.
 *
 * <p>What is checked: the object's size, the schema, row counts, that ids ascend strictly and begin
 * and end where footer and descriptor say, LSN bounds, order of label ids, page lengths and counts,
 * and page checksums where the writer put them. An engine-made body carries no checksum, so a
 * changed byte inside a value may stay unseen if it decompresses and breaks none of these; files of
 * {@link NodeSstWriter} have a checksum on every page. Nothing is checked in columns that are not
 * asked for.
 */
public final class NodeSstReader implements AutoCloseable {
  private final NodeSstFile file;
  private final SstObject object;
  private final List<GroupMeta> groups;
  private final int window;
  private List<RowGroup> rowGroups;

  private NodeSstReader(NodeSstFile file, SstObject object, List<GroupMeta> groups, int window) {
    this.file = file;
    this.object = object;
    this.groups = groups;
    this.window = window;
  }

  /**
   * Reads and checks the footer: one GET of the object's tail, a second one if the footer is longer
   * than 64 KiB.
   *
   * @throws com.namidb.format.error.CorruptObjectException if the object is missing, damaged, or no
   *     file the engine would accept
   */
  public static NodeSstReader open(ObjectStore store, NodeSstFile file) {
    return open(store, file, ChunkInput.WINDOW);
  }

  /**
   * The same with smaller windows, for many readers side by side.
   *
   * @param window most bytes of a column to fetch at once, unless one page is longer
   */
  public static NodeSstReader open(ObjectStore store, NodeSstFile file, int window) {
    int most = Math.max(1, Math.min(window, ChunkInput.WINDOW));
    SstObject object = new SstObject(store, file.object(), file.sizeBytes(), most);
    try {
      return new NodeSstReader(file, object, NodeFooter.read(file, object), most);
    } catch (DamageException | IndexOutOfBoundsException e) {
      throw object.damaged(e);
    }
  }

  /**
   * Rows and key range of each row group, in key order, from the footer. A foreign file without
   * statistics has its ids read once to find them.
   */
  public List<RowGroup> rowGroups() {
    if (rowGroups == null) {
      List<RowGroup> out = new ArrayList<>();
      for (GroupMeta g : groups) {
        KeyRange keys = g.keys() != null ? g.keys() : readKeys(g);
        out.add(new RowGroup(keys, g.rows(), g.bytes(), g.keys() != null));
      }
      rowGroups = List.copyOf(out);
    }
    return rowGroups;
  }

  private KeyRange readKeys(GroupMeta group) {
    int i = groups.indexOf(group);
    NodeId first = null;
    NodeId last = null;
    try (RecordCursor c = cursor(i, Set.of(Column.KEY))) {
      while (c.next()) {
        RecordBatch b = c.batch();
        int z = b.size() - 1;
        first = first != null ? first : new NodeId(b.keyHi()[0], b.keyLo()[0]);
        last = new NodeId(b.keyHi()[z], b.keyLo()[z]);
      }
    }
    return new KeyRange(first, last);
  }

  private RecordCursor cursor(int only, Set<Column> columns) {
    NodeCursor.Wanted wanted = new NodeCursor.Wanted(columns, new LabelSets(), window);
    return new NodeCursor(file, object, groups, KeyRanges.ALL, wanted).only(only);
  }

  /**
   * Opens a cursor over the row groups that may hold keys of {@code ranges}. Memory: one row group
   * at a time, of each asked column a window of 8 MiB and one decompressed page, of text pages
   * above 16 MiB only a piece. Held whole are dictionaries, and large pages of other columns.
   *
   * @param columns what to fill in; if keys are asked, batches wholly outside {@code ranges} are
   *     left out
   * @param labels where label sets are numbered; files without a label column give the empty set
   */
  public RecordCursor scan(Set<Column> columns, KeyRanges ranges, LabelSets labels) {
    NodeCursor.Wanted wanted = new NodeCursor.Wanted(Set.copyOf(columns), labels, window);
    return new NodeCursor(file, object, groups, ranges, wanted);
  }

  @Override
  public void close() {
    // Holds bytes only, no connection.
  }

  /**
   * A row group.
   *
   * @param keys its key range
   * @param rows number of rows
   * @param bytes compressed bytes of all its columns
   * @param listed whether the footer tells the key range, so that scans of other ranges skip it
   */
  public record RowGroup(KeyRange keys, long rows, long bytes, boolean listed) {}
}
