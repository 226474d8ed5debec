package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.node.BloomFilter;
import com.namidb.format.node.NodeSstFile;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which SSTs take part in a scan. Dropped as a whole is only what cannot hold an asked key; an SST
 * without the asked label stays as a shadow, because it may hold the newer version of a node that
 * had the label. Source: manifest §5.9, node §9.
 */
final class MemberSelection {
  /** Reading an id filter pays for a few ids, not for long lists. */
  private static final int MAX_BLOOM_IDS = 64;

  final List<Member> members = new ArrayList<>();
  int listed;
  int outsideKeys;
  int byBloom;

  private final Manifest manifest;
  private final NamespacePaths paths;
  private final SliceScope scope;
  private final EffectiveLabels labels;
  private final ObjectStore store;
  private final KeyRanges keys;
  private final Settled rule;

  /** SSTs whose rows need not be read, because metadata tells all about them. */
  final List<SstDescriptor> settled = new ArrayList<>();

  /** Their ranks. */
  final BitSet settledRanks = new BitSet();

  MemberSelection(
      Snapshot snapshot,
      SliceScope scope,
      EffectiveLabels labels,
      ObjectStore store,
      Settled rule) {
    this.rule = rule;
    this.manifest = snapshot.manifest();
    this.paths = snapshot.location().paths();
    this.scope = scope;
    this.labels = labels;
    this.store = store;
    this.keys = scope.keys();
  }

  void select() {
    List<SstDescriptor> ssts = manifest.ssts();
    for (int i = 0; i < ssts.size(); i++) {
      SstDescriptor sst = ssts.get(i);
      if (!scope.target.isOf(sst)) {
        continue;
      }
      listed++;
      if (!keys.overlaps(sst.keys())) {
        outsideKeys++;
      } else if (!bloomAdmits(sst)) {
        byBloom++;
      } else {
        members.add(member(sst, i));
      }
    }
  }

  private boolean bloomAdmits(SstDescriptor sst) {
    Optional<SstDescriptor.Bloom> listedBloom = sst.bloom();
    if (listedBloom.isEmpty() || keys.ranges().size() > MAX_BLOOM_IDS) {
      return true;
    }
    List<NodeId> ids = new ArrayList<>();
    for (KeyRange r : keys.ranges()) {
      if (!r.min().equals(r.max())) {
        return true;
      }
      if (sst.keys().contains(r.min())) {
        ids.add(r.min());
      }
    }
    SstDescriptor.Bloom b = listedBloom.get();
    BloomFilter filter = BloomFilter.read(store, paths.bloom(sst, b), b.sizeBytes(), b.xxh3());
    return ids.stream().anyMatch(filter::mayContain);
  }

  private Member member(SstDescriptor sst, int position) {
    SliceFile file = file(paths, manifest, labels, position);
    long live = labelled(sst, file);
    boolean emits = live > 0 && !sst.isDeleteFile();
    if (emits && rule.test(sst, position)) {
      settled.add(sst);
      settledRanks.set(file.rank);
      emits = false;
    }
    return new Member(file, sst.isDeleteFile(), emits, live);
  }

  /** What must be known to open an SST, by its position in the manifest. */
  static SliceFile file(
      NamespacePaths paths, Manifest manifest, EffectiveLabels labels, int position) {
    SstDescriptor sst = manifest.ssts().get(position);
    boolean legacy = sst.kind() == SstKind.NODES && !sst.scope().isEmpty();
    List<GraphSchema.PropertyDef> properties = List.of();
    if (legacy) {
      properties = manifest.schema().labels().getOrDefault(sst.scope(), List.of());
    } else if (sst.kind() != SstKind.NODES) {
      GraphSchema.EdgeTypeDef type = manifest.schema().edgeTypes().get(sst.scope());
      properties = type == null ? List.of() : type.properties();
    }
    List<NodeSstFile.TypedColumn> declared = new ArrayList<>();
    for (GraphSchema.PropertyDef p : properties) {
      declared.add(new NodeSstFile.TypedColumn(p.name(), p.dataType()));
    }
    return new SliceFile(
        sst,
        paths.sst(sst),
        position,
        legacy ? labels.legacyId(sst.scope()) : SliceFile.NOT_LEGACY,
        declared);
  }

  /** Upper bound of live records with the asked label; 0 only if there certainly is none. */
  private long labelled(SstDescriptor sst, SliceFile file) {
    long live = Math.max(0, sst.counts().rows() - sst.counts().tombstones());
    if (scope.target.wantedLabels == null) {
      return live;
    }
    if (file.isLegacy()) {
      // Its scope is the label of nodes without a known one only: the others may carry any.
      return live;
    }
    // No counts, or none at all, means that the descriptor does not tell.
    Optional<Map<Integer, Long>> counts = sst.labelCounts().filter(c -> !c.isEmpty());
    if (counts.isEmpty()) {
      return live;
    }
    long sum = 0;
    for (int id : scope.target.wantedLabels) {
      sum += counts.get().getOrDefault(id, 0L);
    }
    return Math.min(sum, live);
  }

  /** Tells of SSTs, by position in the manifest, that no row needs to be read. */
  @FunctionalInterface
  interface Settled {
    boolean test(SstDescriptor sst, int position);
  }
}
