package com.namidb.format.manifest;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Turns elements of {@code ssts} into {@link SstDescriptor}s. Source: manifest §2.5. */
final class DescriptorReader {
  private static final Map<String, SstKind> KINDS =
      Map.of("Nodes", SstKind.NODES, "EdgesFwd", SstKind.EDGES_FWD, "EdgesInv", SstKind.EDGES_INV);

  private final Map<Integer, Set<String>> propertyNames = new HashMap<>();

  /** Reads the descriptor under the cursor. */
  SstDescriptor read(JsonCursor in) {
    Members m = DescriptorShapes.DESCRIPTOR.read(in);
    SstKind kind = KINDS.getOrDefault(m.text("kind"), SstKind.OTHER);
    for (Object stats : m.list("per_label_property_stats")) {
      Members s = (Members) stats;
      propertyNames
          .computeIfAbsent(s.small("label_id"), k -> new HashSet<>())
          .add(s.text("property"));
    }
    NodeId id = DescriptorShapes.id(m, "id");
    return new SstDescriptor(
        new UUID(id.hi(), id.lo()),
        kind,
        m.text("scope"),
        m.small("level"),
        m.text("path"),
        m.number("size_bytes"),
        counts(kind, m, in),
        keys(kind, m, in),
        new SstDescriptor.LsnRange(m.number("min_lsn"), m.number("max_lsn")),
        bloom(m.object("bloom")),
        labelCounts(m.object("label_index")));
  }

  /** Property names by label id in the statistics of all descriptors read so far. */
  Map<Integer, Set<String>> propertyNames() {
    return propertyNames;
  }

  private static SstDescriptor.Counts counts(SstKind kind, Members m, JsonCursor in) {
    Members specific = m.object("kind_specific");
    String wanted =
        switch (kind) {
          case NODES -> "Nodes";
          case EDGES_FWD, EDGES_INV -> "Edges";
          case OTHER -> m.text("kind");
        };
    if (!specific.text("kind").equals(wanted)) {
      throw in.damaged(
          "is of kind " + m.text("kind") + " but has the numbers of " + specific.text("kind"));
    }
    long rows = m.number("row_count");
    if (kind == SstKind.OTHER) {
      return new SstDescriptor.Counts(rows, 0, rows);
    }
    long keys = kind == SstKind.NODES ? rows : specific.number("key_count");
    return new SstDescriptor.Counts(rows, specific.number("tombstone_count"), keys);
  }

  private static KeyRange keys(SstKind kind, Members m, JsonCursor in) {
    NodeId min = DescriptorShapes.id(m, "min_key");
    NodeId max = DescriptorShapes.id(m, "max_key");
    if (min.compareTo(max) <= 0) {
      return new KeyRange(min, max);
    }
    if (kind != SstKind.OTHER) {
      throw in.damaged("has min_key " + min + " above max_key " + max);
    }
    return KeyRange.ALL;
  }

  private static Optional<SstDescriptor.Bloom> bloom(Members m) {
    return m == null
        ? Optional.empty()
        : Optional.of(
            new SstDescriptor.Bloom(
                m.text("path"), m.number("size_bytes"), m.number("xxhash3_64")));
  }

  private static Optional<Map<Integer, Long>> labelCounts(Members m) {
    List<?> pairs = m == null ? List.of() : m.list("per_label_counts");
    if (pairs.isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, Long> out = new HashMap<>();
    for (Object pair : pairs) {
      Map.Entry<?, ?> e = (Map.Entry<?, ?>) pair;
      out.put((Integer) e.getKey(), (Long) e.getValue());
    }
    return Optional.of(Map.copyOf(out));
  }
}
