package com.namidb.format.scan;

import com.namidb.format.edge.EdgeSstFile;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.merge.Precedence;
import com.namidb.format.node.NodeSstFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a task must know of one SST. Plain fields only, so that every serialiser handles it. */
final class SliceFile implements Serializable {
  private static final long serialVersionUID = 1L;

  /** {@link #legacyLabel} of everything but label-scoped node SSTs. */
  static final int NOT_LEGACY = -1;

  final String object;
  final long sizeBytes;
  final long rows;
  final long tombstones;
  final int level;
  final int rank;
  final int legacyLabel;
  final long minLsn;
  final long maxLsn;
  private final long idHi;
  private final long idLo;
  private final long minHi;
  private final long minLo;
  private final long maxHi;
  private final long maxLo;
  private final ArrayList<String> names = new ArrayList<>();
  private final ArrayList<String> types = new ArrayList<>();

  /**
   * Takes over what is needed of a descriptor.
   *
   * @param object key of the body
   * @param position position in the manifest, from 0
   * @param legacyLabel label id that rows without a known label have, or {@link #NOT_LEGACY}
   * @param declared names and types of declared properties that may have columns or streams
   */
  SliceFile(
      SstDescriptor sst,
      String object,
      int position,
      int legacyLabel,
      List<NodeSstFile.TypedColumn> declared) {
    this.object = object;
    this.sizeBytes = sst.sizeBytes();
    this.rows = sst.counts().rows();
    this.tombstones = sst.counts().tombstones();
    this.level = sst.level();
    this.rank = Precedence.rank(position);
    this.legacyLabel = legacyLabel;
    this.minLsn = sst.lsns().min();
    this.maxLsn = sst.lsns().max();
    this.idHi = sst.id().getMostSignificantBits();
    this.idLo = sst.id().getLeastSignificantBits();
    this.minHi = sst.keys().min().hi();
    this.minLo = sst.keys().min().lo();
    this.maxHi = sst.keys().max().hi();
    this.maxLo = sst.keys().max().lo();
    for (NodeSstFile.TypedColumn c : declared) {
      names.add(c.name());
      types.add(c.dataType());
    }
  }

  KeyRange keys() {
    return new KeyRange(new NodeId(minHi, minLo), new NodeId(maxHi, maxLo));
  }

  UUID id() {
    return new UUID(idHi, idLo);
  }

  /**
   * Whether another version's file is this body and its records read the same: what the later
   * version declares decides which columns and streams of a body are looked at.
   */
  boolean readsAs(SliceFile later) {
    return id().equals(later.id())
        && object.equals(later.object)
        && sizeBytes == later.sizeBytes
        && rows == later.rows
        && isLegacy() == later.isLegacy()
        && later.declares(this);
  }

  private boolean declares(SliceFile earlier) {
    for (int i = 0; i < earlier.names.size(); i++) {
      int j = names.indexOf(earlier.names.get(i));
      if (j < 0 || !types.get(j).equals(earlier.types.get(i))) {
        return false;
      }
    }
    return true;
  }

  boolean isLegacy() {
    return legacyLabel != NOT_LEGACY;
  }

  NodeSstFile asNodes() {
    List<NodeSstFile.TypedColumn> typed = null;
    if (isLegacy()) {
      typed = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        typed.add(new NodeSstFile.TypedColumn(names.get(i), types.get(i)));
      }
    }
    return new NodeSstFile(object, sizeBytes, rows, tombstones > 0, keys(), minLsn, maxLsn, typed);
  }

  EdgeSstFile asEdges() {
    return new EdgeSstFile(object, sizeBytes, rows, id(), names);
  }
}
