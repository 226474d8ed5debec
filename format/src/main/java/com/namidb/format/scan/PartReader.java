package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.merge.LiveRows;
import com.namidb.format.merge.MergedCursor;
import com.namidb.format.merge.Precedence;
import com.namidb.format.merge.ShadowedCursor;
import com.namidb.format.merge.Source;
import com.namidb.format.merge.WinnerCursor;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** One part of a slice, opened: base and shadows, merged, then reduced to live records. */
final class PartReader implements AutoCloseable {
  private static final SliceReader.Origin WAL_ORIGIN = new SliceReader.Origin(null, -1);
  private static final Set<Column> SHADOW_COLUMNS = EnumSet.of(Column.KEY, Column.LSN);

  /** Shared by the windows of one column of all files of a part, which are open side by side. */
  private static final long HELD_BYTES = 64L << 20;

  private static final long LEAST_WINDOW = 32 << 10;

  private final SlicePart part;
  private final SliceScope scope;
  private final LabelSets labels;
  private final SstAccess ssts;
  private final KeyRanges keys;
  private final KeyRanges partners;
  private final int window;
  private final Map<Integer, SliceReader.Origin> origins = new HashMap<>();
  private final WinnerCursor winners;
  private final LiveRows live;

  /**
   * Opens a part.
   *
   * @param wal the replayed WAL, looked at only if the part needs it
   */
  PartReader(
      SlicePart part, SliceScope scope, SstAccess ssts, Supplier<WalState> wal, LabelSets labels) {
    this.part = part;
    this.scope = scope;
    this.labels = labels;
    this.ssts = ssts;
    this.window = window(part.base.length + part.shadows.length);
    this.keys = within(part.range(), scope.keys());
    this.partners = scope.partners();
    for (SliceFile f : part.base) {
      origins.put(f.rank, new SliceReader.Origin(f.id().toString(), f.level));
    }
    boolean replayed = part.isWal() || part.walShadow;
    this.winners = merge(replayed ? new TargetWal(wal.get(), scope.target) : null);
    LiveRows.Conditions conditions =
        new LiveRows.Conditions(
            testsKeys() ? keys : KeyRanges.ALL,
            partners,
            labels,
            scope.target.wantedLabels == null ? null : scope.target::matches);
    this.live = new LiveRows(winners, conditions);
  }

  private static int window(int files) {
    return (int)
        Math.min(Integer.MAX_VALUE, Math.max(LEAST_WINDOW, HELD_BYTES / Math.max(1, files)));
  }

  private static KeyRanges within(KeyRange range, KeyRanges allowed) {
    return range.equals(KeyRange.ALL) ? allowed : allowed.intersect(KeyRanges.of(range));
  }

  /**
   * Whether rows outside the allowed keys may come along; a lone piece of whole row groups is
   * exact.
   */
  private boolean testsKeys() {
    return !keys.isAll() && !(part.isExact() && part.isClean() && scope.keys().isAll());
  }

  private WinnerCursor merge(TargetWal wal) {
    List<Source> shadows = new ArrayList<>();
    if (part.walShadow) {
      shadows.add(new Source(wal.cursor(labels, keys), Precedence.WAL_RANK));
    }
    KeyRanges shadowed = keys;
    if (part.isWal()) {
      // Only keys the WAL has can be shadowed.
      shadowed = wal.keys().map(k -> within(k, keys)).orElse(KeyRanges.NONE);
    }
    for (SliceFile f : part.shadows) {
      shadows.add(new Source(ssts.scan(f, SHADOW_COLUMNS, shadowed, labels, window), f.rank));
    }
    if (part.isMerged()) {
      return merged(shadows);
    }
    if (part.isWal()) {
      RecordCursor cursor = relabelled(wal.cursor(labels, keys), SliceFile.NOT_LEGACY);
      return ShadowedCursor.of(new Source(cursor, Precedence.WAL_RANK), shadows);
    }
    Set<Column> columns = baseColumns();
    if (!shadows.isEmpty()) {
      columns.addAll(SHADOW_COLUMNS);
    } else if (testsKeys() || !partners.isAll()) {
      columns.add(Column.KEY);
    }
    return ShadowedCursor.of(source(part.base[0], columns), shadows);
  }

  private WinnerCursor merged(List<Source> shadows) {
    Set<Column> columns = baseColumns();
    columns.addAll(SHADOW_COLUMNS);
    List<Source> members = new ArrayList<>(part.base.length);
    for (SliceFile f : part.base) {
      members.add(source(f, columns));
    }
    MergedCursor merged = new MergedCursor(members, columns, scope.target.isEdges());
    return shadows.isEmpty() ? merged : ShadowedCursor.of(merged, shadows);
  }

  private Set<Column> baseColumns() {
    Set<Column> columns = scope.columns();
    columns.add(Column.TOMBSTONE);
    if (scope.target.wantedLabels != null) {
      columns.add(Column.LABELS);
    }
    return columns;
  }

  private Source source(SliceFile file, Set<Column> columns) {
    RecordCursor cursor = ssts.scan(file, columns, keys, labels, window);
    boolean labelled = columns.contains(Column.LABELS);
    return new Source(labelled ? relabelled(cursor, file.legacyLabel) : cursor, file.rank);
  }

  private RecordCursor relabelled(RecordCursor cursor, int legacyLabel) {
    SliceTarget t = scope.target;
    boolean needed = !t.isEdges() && (t.dropUnknown || legacyLabel != SliceFile.NOT_LEGACY);
    return needed ? new RelabelledCursor(cursor, labels, t.knownLabels, legacyLabel) : cursor;
  }

  LiveRows rows() {
    return live;
  }

  SliceReader.Origin origin(int row) {
    if (part.isWal()) {
      return WAL_ORIGIN;
    }
    int rank = part.isMerged() ? live.batch().source()[row] : part.base[0].rank;
    return origins.get(rank);
  }

  SliceReader.Counters counters() {
    return new SliceReader.Counters(
        winners.rowsRead(), winners.hiddenByNewer(), live.hiddenByTombstone());
  }

  @Override
  public void close() {
    live.close();
  }
}
