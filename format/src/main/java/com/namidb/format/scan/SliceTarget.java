package com.namidb.format.scan;

import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import java.io.Serializable;

/** Which records a scan is about. Plain fields only. */
final class SliceTarget implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Edge type, {@code null} for nodes. */
  final String edgeType;

  /** Whether the files are ordered by destination. */
  final boolean inverse;

  /** Label ids one of which a node must carry; {@code null} for all nodes. */
  final int[] wantedLabels;

  /** Label ids from here on are unknown and ignored (manifest §5.6). */
  final int knownLabels;

  /**
   * Whether unknown ids must be taken out of the label sets, because ids above them are given to
   * legacy labels that the dictionary lacks.
   */
  final boolean dropUnknown;

  private SliceTarget(
      String edgeType, boolean inverse, int[] wanted, int knownLabels, boolean dropUnknown) {
    this.edgeType = edgeType;
    this.inverse = inverse;
    this.wantedLabels = wanted;
    this.knownLabels = knownLabels;
    this.dropUnknown = dropUnknown;
  }

  static SliceTarget edges(String type, boolean inverse) {
    return new SliceTarget(type, inverse, null, 0, false);
  }

  static SliceTarget nodes(int[] wanted, int knownLabels, boolean dropUnknown) {
    return new SliceTarget(null, false, wanted, knownLabels, dropUnknown);
  }

  boolean isEdges() {
    return edgeType != null;
  }

  /** Whether an SST is one of this target, in the wanted order. */
  boolean isOf(SstDescriptor sst) {
    if (!isEdges()) {
      return sst.kind() == SstKind.NODES;
    }
    SstKind kind = inverse ? SstKind.EDGES_INV : SstKind.EDGES_FWD;
    return sst.kind() == kind && sst.scope().equals(edgeType);
  }

  /** Whether a node with these label ids is wanted. */
  boolean matches(int[] ids) {
    for (int id : ids) {
      for (int wanted : wantedLabels) {
        if (id == wanted) {
          return true;
        }
      }
    }
    return false;
  }
}
