package com.namidb.format.wal;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the listed segments of one version add up to: the last record per key. Source: wal §7.
 * Immutable and thread-safe.
 */
public final class WalState {
  private static final WalRecords NO_NODES = new WalRecords.Builder(0, false).build();
  private static final WalRecords NO_EDGES = new WalRecords.Builder(0, true).build();
  private static final WalState EMPTY = new WalState(NO_NODES, Map.of());

  private final WalRecords nodes;
  private final TreeMap<String, WalRecords> edges;
  private final Map<String, WalRecords> inverse = new HashMap<>();

  WalState(WalRecords nodes, Map<String, WalRecords> edges) {
    this.nodes = nodes;
    this.edges = new TreeMap<>(edges);
  }

  /** The state of a version that lists no segment. */
  public static WalState empty() {
    return EMPTY;
  }

  /** Number of node records, tombstones included. */
  public int nodeCount() {
    return nodes.size();
  }

  /** Number of edge records of a type, tombstones included. */
  public int edgeCount(String type) {
    return edges.getOrDefault(type, NO_EDGES).size();
  }

  /** The edge types that occur. */
  public Set<String> edgeTypes() {
    return Set.copyOf(edges.keySet());
  }

  /** Key range of the node records, empty if there are none. */
  public Optional<KeyRange> nodeKeys() {
    return nodes.keys();
  }

  /**
   * Key range (sources, or destinations if {@code inverse}) of a type's records, empty if there are
   * none.
   */
  public Optional<KeyRange> edgeKeys(String type, boolean inverse) {
    return edgeRecords(type, inverse).keys();
  }

  /** Size, deletions and LSN bounds of the node records. */
  public Extent nodeExtent() {
    return extent(nodes);
  }

  /** Size, deletions and LSN bounds of a type's records. */
  public Extent edgeExtent(String type) {
    return extent(edges.getOrDefault(type, NO_EDGES));
  }

  /** How many node records lie in a key range, tombstones included. */
  public int nodeCount(KeyRange range) {
    return count(nodes, range);
  }

  /**
   * How many records of a type lie in a range of sources, or of destinations if {@code inverse}.
   */
  public int edgeCount(String type, boolean inverse, KeyRange range) {
    return count(edgeRecords(type, inverse), range);
  }

  /** Schema version a live node record was written with, empty if there is no such record. */
  public OptionalLong schemaVersion(NodeId id) {
    int i = nodes.lowerBound(id);
    boolean live = i < nodes.size() && nodes.key(i).equals(id) && !nodes.tombstone[i];
    return live ? OptionalLong.of(nodes.schemaVersion[i]) : OptionalLong.empty();
  }

  /** Node records ascending by id; all columns filled. */
  public RecordCursor nodes(LabelSets labels) {
    return nodes(labels, KeyRanges.ALL);
  }

  /** Node records with these ids, ascending; all columns filled; none outside the ranges. */
  public RecordCursor nodes(LabelSets labels, KeyRanges ranges) {
    return new WalCursor(nodes, labels, ranges);
  }

  /**
   * Edge records of a type ascending by (src, dst), or (dst, src) if {@code inverse}; all columns
   * filled.
   */
  public RecordCursor edges(String type, boolean inverse) {
    return edges(type, inverse, KeyRanges.ALL);
  }

  /** As {@link #edges(String, boolean)}, only with these sources, or destinations. */
  public RecordCursor edges(String type, boolean inverse, KeyRanges ranges) {
    return new WalCursor(edgeRecords(type, inverse), null, ranges);
  }

  /** Approximate heap use in bytes. */
  public long heapBytes() {
    long bytes = nodes.heapBytes();
    for (WalRecords r : edges.values()) {
      // The inverse order may still be built: it costs the same arrays again.
      bytes += r.heapBytes() + 80L * r.size();
    }
    return bytes;
  }

  private WalRecords edgeRecords(String type, boolean inverted) {
    WalRecords forward = edges.getOrDefault(type, NO_EDGES);
    if (!inverted || forward.size() == 0) {
      return forward;
    }
    synchronized (inverse) {
      return inverse.computeIfAbsent(type, t -> forward.inverse());
    }
  }

  private static int count(WalRecords records, KeyRange range) {
    return records.upperBound(range.max()) - records.lowerBound(range.min());
  }

  private static Extent extent(WalRecords records) {
    return new Extent(records.size(), records.tombstones(), records.minLsn(), records.maxLsn());
  }

  /**
   * What a set of records amounts to.
   *
   * @param rows records, tombstones included
   * @param tombstones of these, deletions
   * @param minLsn smallest LSN, unsigned; 2^64−1 if there are no records
   * @param maxLsn greatest LSN, unsigned; 0 if there are no records
   */
  public record Extent(int rows, int tombstones, long minLsn, long maxLsn) {}
}
