package com.namidb.format.scan;

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
