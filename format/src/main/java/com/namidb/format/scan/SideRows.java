package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.merge.LiveRows;
import com.namidb.format.merge.MergedCursor;
import com.namidb.format.merge.Precedence;
import com.namidb.format.merge.Source;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Live records of one version one by one in key order: all its sources merged, of the given keys
 * only.
 */
final class SideRows implements AutoCloseable {
  /** Shared by the windows of one column of all files of both sides. */
  private static final long HELD_BYTES = 64L << 20;

  private static final long LEAST_WINDOW = 32 << 10;
  private static final SliceReader.Origin WAL_ORIGIN = new SliceReader.Origin(null, -1);

  private final DiffSide side;
  private final LabelSets labels = new LabelSets();
  private final Map<Integer, SliceReader.Origin> origins = new HashMap<>();
  private final MergedCursor winners;
  private final LiveRows live;
  private final CursorRows rows;
  private boolean ended;

  /**
   * Merges.
   *
   * @param keys exactly the keys to give
   * @param wal records of the version's WAL
   * @param window most bytes of a column of a file to hold at once
   */
  SideRows(DiffSide side, KeyRanges keys, SstAccess ssts, TargetWal wal, int window) {
    this.side = side;
    SliceTarget target = side.scope.target;
    Set<Column> columns = EnumSet.of(Column.KEY, Column.LSN, Column.TOMBSTONE, Column.PAYLOAD);
    if (!target.isEdges()) {
      columns.add(Column.LABELS);
    }
    List<Source> sources = new ArrayList<>();
    if (!DiffVersion.isEmpty(side.scope)) {
      RecordCursor replayed = wal.cursor(labels, keys);
      sources.add(new Source(relabelled(replayed, SliceFile.NOT_LEGACY), Precedence.WAL_RANK));
      origins.put(Precedence.WAL_RANK, WAL_ORIGIN);
      for (SliceFile f : side.files) {
        if (keys.overlaps(f.keys())) {
          RecordCursor cursor = ssts.scan(f, columns, keys, labels, window);
          sources.add(new Source(relabelled(cursor, f.legacyLabel), f.rank));
          origins.put(f.rank, new SliceReader.Origin(f.id().toString(), f.level));
        }
      }
    }
    winners = new MergedCursor(sources, columns, target.isEdges());
    LiveRows.Conditions conditions =
        new LiveRows.Conditions(
            keys,
            side.scope.partners(),
            labels,
            target.wantedLabels == null ? null : target::matches);
    live = new LiveRows(winners, conditions);
    rows = CursorRows.selected(live);
  }

  static int window(int files) {
    return (int)
        Math.min(Integer.MAX_VALUE, Math.max(LEAST_WINDOW, HELD_BYTES / Math.max(1, files)));
  }

  private RecordCursor relabelled(RecordCursor cursor, int legacyLabel) {
    SliceTarget t = side.scope.target;
    boolean needed = !t.isEdges() && (t.dropUnknown || legacyLabel != SliceFile.NOT_LEGACY);
    return needed ? new RelabelledCursor(cursor, labels, t.knownLabels, legacyLabel) : cursor;
  }

  /** Steps to the next record; false at the end. */
  boolean next() {
    try {
      ended = ended || !rows.next();
      return !ended;
    } catch (NamiException e) {
      throw e.at(side.scope.where());
    }
  }

  boolean ended() {
    return ended;
  }

  /** By key; a side that has ended comes last. */
  int compareTo(SideRows other) {
    return ended ? (other.ended ? 0 : 1) : other.ended ? -1 : rows.compareTo(other.rows);
  }

  RecordBatch batch() {
    return rows.batch();
  }

  int row() {
    return rows.row();
  }

  /** Label ids of the current record, those of its version. */
  LabelSets labels() {
    return labels;
  }

  SliceReader.Origin origin() {
    return origins.get(batch().source()[row()]);
  }

  SliceReader.Counters counters() {
    return new SliceReader.Counters(
        winners.rowsRead(), winners.hiddenByNewer(), live.hiddenByTombstone());
  }

  @Override
  public void close() {
    rows.close();
  }
}
