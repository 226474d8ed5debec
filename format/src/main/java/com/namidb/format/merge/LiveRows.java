package com.namidb.format.merge;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.SelectedCursor;
import com.namidb.format.record.Selection;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The last step of every read: of the winners it keeps those that are no tombstones and match the
 * exact key and label conditions. It comes after the merge, because an older version must not
 * reappear behind a newer one that does not match. Source: manifest §5.3.
 */
public final class LiveRows implements SelectedCursor {
  private final SelectedCursor winners;
  private final Conditions conditions;
  private byte[] verdicts = new byte[16];
  private long tombstones;

  /**
   * Wraps the winners.
   *
   * @param winners needs {@code TOMBSTONE}, and the columns the conditions look at; owned from here
   *     on
   */
  public LiveRows(SelectedCursor winners, Conditions conditions) {
    this.winners = winners;
    this.conditions = conditions;
  }

  @Override
  public boolean next() {
    if (!winners.next()) {
      return false;
    }
    RecordBatch batch = winners.batch();
    Selection selection = winners.selection();
    keepKeys(batch, selection);
    if (!conditions.partners.isAll()) {
      long[] hi = batch.partnerHi();
      long[] lo = batch.partnerLo();
      selection.retain(row -> conditions.partners.contains(hi[row], lo[row]));
    }
    if (batch.anyTombstone()) {
      int before = selection.size();
      boolean[] dead = batch.tombstone();
      selection.retain(row -> !dead[row]);
      tombstones += before - selection.size();
    }
    if (conditions.labelTest != null) {
      int[] sets = batch.labelSet();
      selection.retain(row -> matches(sets[row]));
    }
    return true;
  }

  private void keepKeys(RecordBatch batch, Selection selection) {
    KeyRanges keys = conditions.keys;
    if (keys.isAll() || batch.size() == 0) {
      return;
    }
    long[] hi = batch.keyHi();
    long[] lo = batch.keyLo();
    int last = batch.size() - 1;
    for (KeyRange range : keys.ranges().size() <= 4 ? keys.ranges() : keys.ranges().subList(0, 1)) {
      // Keys ascend: if one range holds both ends, it holds the whole batch.
      if (range.contains(hi[0], lo[0]) && range.contains(hi[last], lo[last])) {
        return;
      }
    }
    selection.retain(row -> keys.contains(hi[row], lo[row]));
  }

  /** Once per distinct set: 0 unknown, 1 matches, 2 does not. */
  private boolean matches(int set) {
    if (set >= verdicts.length) {
      verdicts = Arrays.copyOf(verdicts, Math.max(set + 1, 2 * verdicts.length));
    }
    if (verdicts[set] == 0) {
      verdicts[set] = (byte) (conditions.labelTest.test(conditions.labels.ids(set)) ? 1 : 2);
    }
    return verdicts[set] == 1;
  }

  /** Winners inside the key conditions that were dropped because they delete. */
  public long hiddenByTombstone() {
    return tombstones;
  }

  @Override
  public RecordBatch batch() {
    return winners.batch();
  }

  @Override
  public Selection selection() {
    return winners.selection();
  }

  @Override
  public void close() {
    winners.close();
  }

  /** Exact conditions on a live record. */
  public static final class Conditions {
    private final KeyRanges keys;
    private final KeyRanges partners;
    private final LabelSets labels;
    private final Predicate<int[]> labelTest;

    /**
     * Joins them.
     *
     * @param keys allowed keys, in the order of the file
     * @param partners allowed partners; {@link KeyRanges#ALL} for nodes
     * @param labels where the batches' label sets are numbered
     * @param labelTest which sets of label ids match; {@code null} for all
     */
    public Conditions(
        KeyRanges keys, KeyRanges partners, LabelSets labels, Predicate<int[]> labelTest) {
      this.keys = keys;
      this.partners = partners;
      this.labels = labels;
      this.labelTest = labelTest;
    }
  }
}
