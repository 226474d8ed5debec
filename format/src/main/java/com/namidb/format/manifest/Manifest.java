package com.namidb.format.manifest;

import com.namidb.format.id.Lsn;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One manifest version: the members a reader needs, beside the document they came from, so that a
 * later rewrite keeps what it does not know. Immutable. Source: manifest §2.3.
 */
public final class Manifest {
  private final Head head;
  private final GraphSchema schema;
  private final Files files;
  private final Kept kept;

  /** What identifies the version, and its label ids. */
  record Head(
      long version, long epoch, String writerId, long createdAtMicros, LabelDictionary labels) {}

  /** What the version lists. */
  record Files(
      List<SstDescriptor> ssts, List<WalSegment> wal, Map<Integer, Set<String>> statistics) {
    Files {
      ssts = List.copyOf(ssts);
      wal = List.copyOf(wal);
      Map<Integer, Set<String>> copy = new HashMap<>();
      statistics.forEach((label, names) -> copy.put(label, Set.copyOf(names)));
      statistics = Map.copyOf(copy);
    }
  }

  /** The text it was read from, and what only one layout has. */
  record Kept(Document document, ManifestCodec codec, Single single) {}

  /**
   * Members of the single-object layout alone.
   *
   * @param watermark no LSN of this version is above it, unsigned
   * @param floor newest version that may be collected
   * @param jobs version that committed each of the last jobs, oldest first
   */
  record Single(long watermark, OptionalLong floor, Map<String, Long> jobs) {
    static final Single NONE = new Single(0, OptionalLong.empty(), Map.of());

    Single {
      jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
    }
  }

  Manifest(Head head, GraphSchema schema, Files files, Kept kept) {
    this.head = head;
    this.schema = schema;
    this.files = files;
    this.kept = kept;
  }

  /** The layout it is a version of. */
  public Layout layout() {
    return kept.codec.layout();
  }

  /**
   * Newest version that is, or may at any time be, collected, as this version says it; empty if it
   * says nothing. The versioned layout keeps its floor elsewhere. Source: single-object manifest.
   */
  public OptionalLong floor() {
    return kept.single.floor;
  }

  /**
   * The version that committed each of the last jobs, oldest first; none in the versioned layout.
   * Source: single-object manifest.
   */
  public Map<String, Long> jobs() {
    return kept.single.jobs;
  }

  /** The JSON text, in its layout. */
  public byte[] toBytes() {
    return kept.document.bytes().clone();
  }

  /** Version number, unsigned. */
  public long version() {
    return head.version;
  }

  /** Writer epoch, unsigned. */
  public long epoch() {
    return head.epoch;
  }

  /** Writer id as spelled. */
  public String writerId() {
    return head.writerId;
  }

  /** Commit time, microseconds since 1970 UTC (finer digits cut off). */
  public long createdAtMicros() {
    return head.createdAtMicros;
  }

  /** Declared labels, edge types, constraints. */
  public GraphSchema schema() {
    return schema;
  }

  /** Every SST listed, of every kind, in manifest order. */
  public List<SstDescriptor> ssts() {
    return files.ssts;
  }

  /** Listed WAL segments, ascending by seq (unsigned). */
  public List<WalSegment> walSegments() {
    return files.wal;
  }

  /** Label ids and names. */
  public LabelDictionary labels() {
    return head.labels;
  }

  /**
   * Property names by label id, as far as the statistics of any listed SST tell: those with a
   * scalar value on some row, and declared ones. A property that only ever holds null, vectors,
   * lists or maps is missing, as are SSTs without statistics. Source: manifest §2.5.
   */
  public Map<Integer, Set<String>> propertyNamesInStatistics() {
    return files.statistics;
  }

  /**
   * Highest LSN this version holds, of SSTs of every kind and of listed segments, unsigned; 0 if
   * there is none. Rows of the next version must be above it. Source: manifest §4.7 R2.
   */
  public long lsnFloor() {
    long floor = kept.single.watermark;
    for (SstDescriptor sst : files.ssts) {
      floor = Lsn.max(floor, sst.lsns().max());
    }
    for (WalSegment segment : files.wal) {
      floor = Lsn.max(floor, segment.lastLsn());
    }
    return floor;
  }

  /** Names of the vector and text indexes registered. Source: manifest §2.7. */
  public List<String> searchIndexes() {
    return SearchStates.names(kept.document);
  }

  /** What the registered vector indexes expect of the vectors they hold. Source: manifest §2.7. */
  public List<VectorIndex> vectorIndexes() {
    return SearchStates.vectors(kept.document);
  }

  /**
   * A registered vector index.
   *
   * @param label label of the nodes it covers
   * @param property the property it covers
   * @param dim components every vector must have
   */
  public record VectorIndex(String label, String property, int dim) {}

  /** Whether search generations are listed, which a commit that adds nodes must retire (R5). */
  public boolean hasSearchStates() {
    return !SearchStates.of(kept.document).isEmpty();
  }

  /** Length of the JSON text in bytes. */
  public int sizeBytes() {
    return kept.document.bytes().length;
  }

  Document document() {
    return kept.document;
  }

  ManifestCodec codec() {
    return kept.codec;
  }
}
