package com.namidb.format.merge;

import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.record.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The records of a base that no shadow beats. Shadows are only compared by key and LSN and walked
 * forward once, beside the base; nothing of the base is copied. Without shadows everything is
 * selected and neither keys nor LSNs are looked at.
 */
public final class ShadowedCursor implements WinnerCursor {
  private final RecordCursor base;
  private final int baseRank;
  private final WinnerCursor mergedBase;
  private final List<Shadow> shadows = new ArrayList<>();
  private Selection selection;
  private boolean[] beaten = new boolean[0];
  private long rowsRead;
  private long hidden;

  private ShadowedCursor(RecordCursor base, int rank, List<Source> shadows, WinnerCursor merged) {
    this.base = base;
    this.baseRank = rank;
    this.mergedBase = merged;
    for (Source s : shadows) {
      this.shadows.add(new Shadow(s));
    }
  }

  /**
   * Shadows one source.
   *
   * @param base needs {@code KEY} and {@code LSN} if there are shadows; owned from here on
   * @param shadows need {@code KEY} and {@code LSN} only; owned from here on
   */
  public static ShadowedCursor of(Source base, List<Source> shadows) {
    return new ShadowedCursor(base.cursor(), base.rank(), shadows, null);
  }

  /**
   * Shadows a k-way merge, whose records carry their ranks.
   *
   * @param base owned from here on
   * @param shadows need {@code KEY} and {@code LSN} only; owned from here on
   */
  public static ShadowedCursor of(MergedCursor base, List<Source> shadows) {
    return new ShadowedCursor(base, 0, shadows, base);
  }

  @Override
  public boolean next() {
    if (!base.next()) {
      return false;
    }
    RecordBatch batch = base.batch();
    if (selection == null || batch.capacity() > beaten.length) {
      selection = new Selection(batch.capacity());
      beaten = new boolean[batch.capacity()];
    }
    rowsRead += batch.size();
    if (shadows.isEmpty() || !mark(batch)) {
      selection.selectAll(batch.size());
      return true;
    }
    selection.clear();
    for (int i = 0; i < batch.size(); i++) {
      if (!beaten[i]) {
        selection.add(i);
      }
    }
    hidden += batch.size() - selection.size();
    return true;
  }

  private boolean mark(RecordBatch batch) {
    Arrays.fill(beaten, 0, batch.size(), false);
    boolean any = false;
    for (Shadow shadow : shadows) {
      any |= mark(batch, shadow);
    }
    shadows.removeIf(Shadow::finished);
    return any;
  }

  private boolean mark(RecordBatch batch, Shadow shadow) {
    boolean any = false;
    int i = 0;
    while (i < batch.size() && shadow.seek(batch, i)) {
      i = Precedence.advance(batch, i, shadow.batch, shadow.at);
      if (i < batch.size() && Precedence.compareKeys(batch, i, shadow.batch, shadow.at) == 0) {
        int rank = mergedBase == null ? baseRank : batch.source()[i];
        if (shadow.beats(batch.lsn()[i], rank)) {
          beaten[i] = true;
          any = true;
        }
        i++;
      }
    }
    return any;
  }

  @Override
  public RecordBatch batch() {
    return base.batch();
  }

  @Override
  public Selection selection() {
    return selection;
  }

  @Override
  public long rowsRead() {
    return mergedBase == null ? rowsRead : mergedBase.rowsRead();
  }

  @Override
  public long hiddenByNewer() {
    return mergedBase == null ? hidden : hidden + mergedBase.hiddenByNewer();
  }

  @Override
  public void close() {
    base.close();
    for (Shadow s : shadows) {
      s.cursor.close();
    }
  }

  /** A shadow and how far it has been walked. */
  private static final class Shadow {
    private final RecordCursor cursor;
    private final int rank;
    private RecordBatch batch;
    private int at;
    private boolean finished;

    Shadow(Source source) {
      cursor = source.cursor();
      rank = source.rank();
    }

    boolean finished() {
      return finished;
    }

    boolean beats(long lsn, int otherRank) {
      return Precedence.beats(batch.lsn()[at], rank, lsn, otherRank);
    }

    /** Walks to the first record not below the base's record; false at the end. */
    boolean seek(RecordBatch base, int i) {
      if (finished || (batch == null && !load())) {
        return false;
      }
      while (true) {
        int last = batch.size() - 1;
        if (at <= last && Precedence.compareKeys(batch, last, base, i) >= 0) {
          at = Precedence.advance(batch, at, base, i);
          return true;
        }
        if (!load()) {
          return false;
        }
      }
    }

    private boolean load() {
      at = 0;
      if (cursor.next()) {
        batch = cursor.batch();
        return true;
      }
      finished = true;
      cursor.close();
      return false;
    }
  }
}
