package com.namidb.format.wal;

import com.namidb.format.id.KeyRange;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import java.util.Optional;
import java.util.Set;

/**
 * What the listed segments of one version add up to: the last record per key. Source: wal §7.
 * Immutable.
 */
public final class WalState {
  private WalState() {}

  /** The state of a version that lists no segment. */
  public static WalState empty() {
    throw new IllegalStateException("not built yet");
  }

  /** Number of node records, tombstones included. */
  public int nodeCount() {
    throw new IllegalStateException("not built yet");
  }

  /** Number of edge records of a type, tombstones included. */
  public int edgeCount(String type) {
    throw new IllegalStateException("not built yet: " + type);
  }

  /** The edge types that occur. */
  public Set<String> edgeTypes() {
    throw new IllegalStateException("not built yet");
  }

  /** Key range of the node records, empty if there are none. */
  public Optional<KeyRange> nodeKeys() {
    throw new IllegalStateException("not built yet");
  }

  /**
   * Key range (sources, or destinations if {@code inverse}) of a type's records, empty if there are
   * none.
   */
  public Optional<KeyRange> edgeKeys(String type, boolean inverse) {
    throw new IllegalStateException("not built yet: " + type + inverse);
  }

  /** Node records ascending by id; all columns filled. */
  public RecordCursor nodes(LabelSets labels) {
    throw new IllegalStateException("not built yet: " + (labels == null));
  }

  /**
   * Edge records of a type ascending by (src, dst), or (dst, src) if {@code inverse}; all columns
   * filled.
   */
  public RecordCursor edges(String type, boolean inverse) {
    throw new IllegalStateException("not built yet: " + type + inverse);
  }
}
