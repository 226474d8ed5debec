package com.namidb.format.scan;

import com.namidb.format.record.Column;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The serialisable unit of reading: one Spark partition. Holds no manifest and no client. Its parts
 * are read one after another.
 */
public final class ScanSlice implements Serializable {
  private static final long serialVersionUID = 1L;

  final SliceScope scope;
  final ArrayList<SlicePart> parts;

  ScanSlice(SliceScope scope, List<SlicePart> parts) {
    this.scope = scope;
    this.parts = new ArrayList<>(parts);
  }

  /** Whether its batches have keys. */
  public boolean hasKeys() {
    return scope.columns().contains(Column.KEY);
  }

  /**
   * The same slice with keys: it gives the same live records in the same order, though perhaps in
   * other batches. For naming a row of a scan that did not ask for keys.
   */
  public ScanSlice withKeys() {
    return hasKeys() ? this : new ScanSlice(scope.withKeys(), parts);
  }

  /** Estimated bytes to read. */
  public long bytes() {
    long sum = 0;
    for (SlicePart p : parts) {
      sum += p.weight;
    }
    return sum;
  }

  /** Whether every record of its files can be a winner: no shadows, no merge. */
  public boolean isClean() {
    return parts.stream().allMatch(SlicePart::isClean);
  }

  @Override
  public String toString() {
    return "slice of " + parts.size() + " part(s), about " + bytes() + " bytes";
  }
}
