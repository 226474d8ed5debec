package com.namidb.format.id;

import java.io.Serializable;
import java.util.Optional;

/**
 * An inclusive range of ids. Source: manifest §2.5 ({@code min_key}, {@code max_key}).
 *
 * @param min smallest id inside
 * @param max greatest id inside, not below {@code min}
 */
public record KeyRange(NodeId min, NodeId max) implements Serializable {
  /** Every id. */
  public static final KeyRange ALL = new KeyRange(NodeId.MIN, NodeId.MAX);

  /**
   * Creates it.
   *
   * @throws IllegalArgumentException if {@code min} is above {@code max}
   */
  public KeyRange {
    if (min.compareTo(max) > 0) {
      throw new IllegalArgumentException("empty key range: " + min + " > " + max);
    }
  }

  /** Tells whether the id lies inside. */
  public boolean contains(NodeId id) {
    return contains(id.hi(), id.lo());
  }

  /** Tells whether the id given as halves lies inside. */
  public boolean contains(long hi, long lo) {
    return NodeId.compare(hi, lo, min.hi(), min.lo()) >= 0
        && NodeId.compare(hi, lo, max.hi(), max.lo()) <= 0;
  }

  /** Tells whether both ranges share an id; ranges that touch do. */
  public boolean overlaps(KeyRange other) {
    return min.compareTo(other.max) <= 0 && other.min.compareTo(max) <= 0;
  }

  /** The common part, empty if there is none. */
  public Optional<KeyRange> intersect(KeyRange other) {
    if (!overlaps(other)) {
      return Optional.empty();
    }
    NodeId lo = min.compareTo(other.min) >= 0 ? min : other.min;
    NodeId hi = max.compareTo(other.max) <= 0 ? max : other.max;
    return Optional.of(new KeyRange(lo, hi));
  }

  /** The smallest range that holds both. */
  public KeyRange union(KeyRange other) {
    NodeId lo = min.compareTo(other.min) <= 0 ? min : other.min;
    NodeId hi = max.compareTo(other.max) >= 0 ? max : other.max;
    return new KeyRange(lo, hi);
  }

  @Override
  public String toString() {
    return "[" + min + ", " + max + "]";
  }
}
