package com.namidb.format.node;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import java.util.Arrays;

/**
 * {@code __labels}: one number per distinct set. Runs of rows with exactly one label, or with none,
 * are taken as runs; only mixed rows are read entry by entry.
 */
final class LabelColumn implements ColumnDecoder {
  private final PageStream pages;
  private final LabelSets sets;
  private final LevelReader levels;
  private final LongValues values;
  private final long[] scratch;
  private int[] ids = new int[8];
  private int count;
  private int[] lastIds = new int[0];
  private int lastSet = LabelSets.EMPTY;
  private int singleId = -1;
  private int singleSet;

  LabelColumn(PageStream pages, LabelSets sets) {
    this.pages = pages;
    this.sets = sets;
    scratch = new long[pages.batch()];
    values = new LongValues(pages, 4);
    levels = new LevelReader(pages, values::init);
  }

  @Override
  public void fill(RecordBatch batch, int n) {
    int[] out = batch.labelSet();
    int row = 0;
    while (row < n) {
      if (!levels.load()) {
        throw new DamageException(pages.column() + " ends before its row group does");
      }
      int k = simpleRows(n - row);
      if (k == 0) {
        out[row++] = mixedRow();
      } else if (levels.definition.peek() == levels.maxDefinition) {
        values.read(scratch, 0, k);
        for (int i = 0; i < k; i++) {
          out[row + i] = single((int) scratch[i]);
        }
        levels.skip(k);
        row += k;
      } else {
        Arrays.fill(out, row, row + k, LabelSets.EMPTY);
        levels.skip(k);
        row += k;
      }
    }
  }

  /** Rows ahead that have at most one entry and all the same level. */
  private int simpleRows(int most) {
    int starts = levels.repetition.run();
    if (!levels.repetition.constant() || levels.repetition.peek() != 0) {
      return 0;
    }
    int same = levels.definition.run();
    int level = levels.definition.peek();
    if (!levels.definition.constant()
        || level == levels.maxDefinition - 1
        || level > levels.maxDefinition) {
      return 0;
    }
    // Whether the run's last row has more entries is seen only behind the run.
    int sure = Math.min(starts, levels.left()) - 1;
    return Math.min(Math.min(sure, same), most);
  }

  private int mixedRow() {
    if (!levels.startsRow()) {
      throw new DamageException(pages.column() + " has a page that starts inside a row");
    }
    count = 0;
    boolean first = true;
    do {
      int d = levels.take();
      if (d == levels.maxDefinition) {
        values.read(scratch, 0, 1);
        add((int) scratch[0]);
      } else if (d == levels.maxDefinition - 1 || !first) {
        throw new DamageException(pages.column() + " holds a null");
      }
      first = false;
    } while (levels.continuesRow());
    return intern();
  }

  private void add(int id) {
    if (id < 0 || (count > 0 && ids[count - 1] >= id)) {
      throw new DamageException("a row's labels are not ascending");
    }
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, count * 2);
    }
    ids[count++] = id;
  }

  private int single(int id) {
    if (id != singleId || singleSet == LabelSets.EMPTY) {
      count = 0;
      add(id);
      singleSet = sets.intern(ids, 1);
      singleId = id;
    }
    return singleSet;
  }

  private int intern() {
    if (count == 0) {
      return LabelSets.EMPTY;
    }
    if (!Arrays.equals(ids, 0, count, lastIds, 0, lastIds.length)) {
      lastIds = Arrays.copyOf(ids, count);
      lastSet = sets.intern(ids, count);
    }
    return lastSet;
  }
}
