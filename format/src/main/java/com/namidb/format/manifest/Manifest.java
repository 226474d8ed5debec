package com.namidb.format.manifest;

import java.util.List;

/**
 * One manifest version: the members a reader needs, beside the parsed document they came from, so
 * that a later rewrite keeps what it does not know. Immutable. Source: manifest §2.3.
 */
public final class Manifest {
  /** Version number, unsigned. */
  public long version() {
    throw new IllegalStateException("not built yet");
  }

  /** Writer epoch, unsigned. */
  public long epoch() {
    throw new IllegalStateException("not built yet");
  }

  /** Writer id as spelled. */
  public String writerId() {
    throw new IllegalStateException("not built yet");
  }

  /** Commit time, microseconds since 1970 UTC (finer digits cut off). */
  public long createdAtMicros() {
    throw new IllegalStateException("not built yet");
  }

  /** Declared labels, edge types, constraints. */
  public GraphSchema schema() {
    throw new IllegalStateException("not built yet");
  }

  /** Every SST listed, of every kind, in manifest order. */
  public List<SstDescriptor> ssts() {
    throw new IllegalStateException("not built yet");
  }

  /** Listed WAL segments, ascending by seq (unsigned). */
  public List<WalSegment> walSegments() {
    throw new IllegalStateException("not built yet");
  }

  /** Label ids and names. */
  public LabelDictionary labels() {
    throw new IllegalStateException("not built yet");
  }
}
