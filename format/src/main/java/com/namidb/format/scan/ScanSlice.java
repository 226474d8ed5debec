package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /**
   * The same slice for few ids: files that hold none of them are not opened. What is outside may
   * still come along where the slice is not in the order of these ids.
   *
   * @param ids wanted ids of nodes or of edges' sources, or of destinations
   * @param destinations whether they are edges' destinations
   * @return empty if no file of the slice can hold one of them
   */
  public Optional<ScanSlice> within(KeyRanges ids, boolean destinations) {
    if (destinations != scope.target.inverse || ids.isAll()) {
      return Optional.of(this);
    }
    KeyRanges keys = scope.keys().intersect(ids);
    List<SlicePart> kept = new ArrayList<>();
    for (SlicePart part : parts) {
      part.within(keys).ifPresent(kept::add);
    }
    return kept.isEmpty()
        ? Optional.empty()
        : Optional.of(new ScanSlice(scope.withKeys(keys), kept));
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

  /** Whether it is nothing but WAL records, none of which an SST can beat. */
  boolean isUnbeatenWal() {
    return parts.stream().allMatch(p -> p.isWal() && p.shadows.length == 0);
  }

  /** Whether its files are ordered by destination, then by source. */
  public boolean isByDestination() {
    return scope.target.inverse;
  }

  /**
   * Whether its records come in the order of its files: by node id, by source and destination, or
   * the other way round ({@link #isByDestination}). Parts do; several in a row may overlap.
   */
  public boolean isOrdered() {
    for (int i = 1; i < parts.size(); i++) {
      Optional<KeyRange> before = parts.get(i - 1).keys();
      Optional<KeyRange> here = parts.get(i).keys();
      boolean known = before.isPresent() && here.isPresent();
      if (!known || before.get().max().compareTo(here.get().min()) >= 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "slice of " + parts.size() + " part(s), about " + bytes() + " bytes";
  }
}
