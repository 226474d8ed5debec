package com.namidb.format.scan;

import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The label ids that slices show: those of the dictionary, followed by ids for labels that only
 * exist as the scope of a legacy node SST. Source: node §4, manifest §5.6.
 */
final class EffectiveLabels {
  private final LabelDictionary names;
  private final int stored;

  private EffectiveLabels(LabelDictionary names, int stored) {
    this.names = names;
    this.stored = stored;
  }

  static EffectiveLabels of(Manifest manifest) {
    LabelDictionary dictionary = manifest.labels();
    List<String> extra = new ArrayList<>();
    for (SstDescriptor sst : manifest.ssts()) {
      boolean legacy = sst.kind() == SstKind.NODES && !sst.scope().isEmpty();
      if (legacy && dictionary.id(sst.scope()).isEmpty() && !extra.contains(sst.scope())) {
        extra.add(sst.scope());
      }
    }
    if (extra.isEmpty()) {
      return new EffectiveLabels(dictionary, dictionary.size());
    }
    List<String> all = new ArrayList<>(dictionary.names());
    all.addAll(extra);
    return new EffectiveLabels(LabelDictionary.of(all), dictionary.size());
  }

  LabelDictionary names() {
    return names;
  }

  /** Ids from here on are not in the stored dictionary. */
  int stored() {
    return stored;
  }

  boolean extended() {
    return names.size() > stored;
  }

  /** The id a legacy SST stands for. */
  int legacyId(String scope) {
    return names.id(scope).orElseThrow(() -> new IllegalStateException("no id for " + scope));
  }

  /** Every id with this name: a dictionary may hold a name twice. */
  int[] idsOf(String label) {
    List<String> all = names.names();
    int[] ids = new int[all.size()];
    int n = 0;
    for (int id = 0; id < ids.length; id++) {
      if (all.get(id).equals(label)) {
        ids[n++] = id;
      }
    }
    return Arrays.copyOf(ids, n);
  }
}
