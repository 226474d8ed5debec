package com.namidb.format.wal;

import com.namidb.format.error.FileErrors;
import com.namidb.format.id.NodeId;
import com.namidb.format.value.InvalidJsonException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects records in replay order; the last one of each key stays, whatever its LSN (wal §6). Only
 * the documents that stay are parsed, as in the engine.
 */
final class WalStateBuilder {
  private static final Comparator<Placed> NODE_ORDER = Comparator.comparing(p -> p.entry.key());
  private static final Comparator<Placed> EDGE_ORDER =
      NODE_ORDER.thenComparing(p -> p.entry.partner());

  private final List<Placed> nodes = new ArrayList<>();
  private final Map<String, List<Placed>> edges = new TreeMap<>();

  /** Adds the records of the next segment. */
  void add(String object, byte[] bytes, List<WalEntry> entries) {
    Segment segment = new Segment(object, bytes);
    for (WalEntry entry : entries) {
      List<Placed> list =
          entry.edgeType() == null
              ? nodes
              : edges.computeIfAbsent(entry.edgeType(), t -> new ArrayList<>());
      list.add(new Placed(entry, segment));
    }
  }

  WalState build() {
    Map<String, WalRecords> byType = new TreeMap<>();
    edges.forEach((type, list) -> byType.put(type, records(lastPerKey(list, EDGE_ORDER), true)));
    return new WalState(records(lastPerKey(nodes, NODE_ORDER), false), byType);
  }

  private static List<Placed> lastPerKey(List<Placed> replayed, Comparator<Placed> order) {
    List<Placed> sorted = new ArrayList<>(replayed);
    // The sort is stable: among equal keys the replay order stays.
    sorted.sort(order);
    List<Placed> out = new ArrayList<>(sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      boolean last = i + 1 == sorted.size();
      if (last || order.compare(sorted.get(i), sorted.get(i + 1)) != 0) {
        out.add(sorted.get(i));
      }
    }
    return out;
  }

  private static WalRecords records(List<Placed> placed, boolean edges) {
    WalRecords.Builder out = new WalRecords.Builder(placed.size(), edges);
    WalDocument document = new WalDocument();
    for (Placed p : placed) {
      WalEntry e = p.entry;
      if (e.isTombstone()) {
        out.tombstone(e);
        continue;
      }
      try {
        document.parse(p.segment.bytes, e.document(), e.length());
      } catch (InvalidJsonException bad) {
        throw FileErrors.damaged(
            WalSegmentReader.KIND,
            p.segment.object,
            "the document of " + name(e) + " is not readable: " + bad.getMessage(),
            bad);
      }
      out.upsert(e, p.segment.bytes, document);
    }
    return out.build();
  }

  private static String name(WalEntry e) {
    NodeId id = e.key();
    return e.edgeType() == null
        ? "node " + id
        : "'" + e.edgeType() + "' edge " + id + " → " + e.partner();
  }

  private record Placed(WalEntry entry, Segment segment) {}

  private static final class Segment {
    private final String object;
    private final byte[] bytes;

    Segment(String object, byte[] bytes) {
      this.object = object;
      this.bytes = bytes;
    }
  }
}
