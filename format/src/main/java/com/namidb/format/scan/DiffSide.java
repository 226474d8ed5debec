package com.namidb.format.scan;

import java.io.Serializable;

/** One of the two versions of a difference, as far as a slice needs it. Plain fields only. */
final class DiffSide implements Serializable {
  private static final long serialVersionUID = 1L;

  final SliceScope scope;
  final SliceFile[] files;

  /** By position in {@link #files}: whether the other version does not list the file. */
  final boolean[] differs;

  /** Label ids of the difference by label id of this version. */
  final int[] labels;

  DiffSide(SliceScope scope, SliceFile[] files, boolean[] differs, int[] labels) {
    this.scope = scope;
    this.files = files;
    this.differs = differs;
    this.labels = labels;
  }
}
