package com.namidb.format.manifest;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Turns elements of {@code ssts} into {@link SstDescriptor}s. Source: manifest §2.5. */
final class DescriptorReader {
  private static final Map<String, SstKind> KINDS =
      Map.of("Nodes", SstKind.NODES, "EdgesFwd", SstKind.EDGES_FWD, "EdgesInv", SstKind.EDGES_INV);

  /** Engines list values of any length; an SST's statistics must not fill the memory. */
  private static final int KEPT = 128;

  private final Map<Integer, Set<String>> propertyNames = new HashMap<>();

  /** Reads the descriptor under the cursor. */
  SstDescriptor read(JsonCursor in) {
    Members m = DescriptorShapes.DESCRIPTOR.read(in);
    SstKind kind = KINDS.getOrDefault(m.text("kind"), SstKind.OTHER);
    List<PropertyStats> statistics = statistics(m.list("per_label_property_stats"));
    for (PropertyStats s : statistics) {
      propertyNames.computeIfAbsent(s.label(), k -> new HashSet<>()).add(s.property());
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
        labelCounts(m.object("label_index")),
        statistics);
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

  private static List<PropertyStats> statistics(List<?> listed) {
    List<PropertyStats> out = new ArrayList<>(listed.size());
    for (Object each : listed) {
      Members m = (Members) each;
      Long distinct = (Long) m.value("ndv_estimate");
      out.add(
          new PropertyStats(
              m.small("label_id"),
              m.text("property"),
              m.number("null_count"),
              Optional.ofNullable((PropertyStats.Bound) m.value("min")).map(DescriptorReader::cut),
              Optional.ofNullable((PropertyStats.Bound) m.value("max")).filter(b -> !isLong(b)),
              distinct == null ? OptionalLong.empty() : OptionalLong.of(distinct)));
    }
    return List.copyOf(out);
  }

  private static boolean isLong(PropertyStats.Bound bound) {
    return bound.value() instanceof String s
        ? s.length() > KEPT
        : bound.value() instanceof List<?> bytes && bytes.size() > KEPT;
  }

  /** The start of a long text or byte string is below the whole. */
  private static PropertyStats.Bound cut(PropertyStats.Bound bound) {
    if (!isLong(bound)) {
      return bound;
    }
    if (bound.value() instanceof List<?> bytes) {
      return new PropertyStats.Bound(bound.type(), List.copyOf(bytes.subList(0, KEPT)));
    }
    String s = (String) bound.value();
    int end = Character.isHighSurrogate(s.charAt(KEPT - 1)) ? KEPT - 1 : KEPT;
    return new PropertyStats.Bound(bound.type(), s.substring(0, end));
  }
}
