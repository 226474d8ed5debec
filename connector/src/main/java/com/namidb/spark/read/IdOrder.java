package com.namidb.spark.read;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.util.Optional;

/**
 * Where a literal stands among all ids as Spark orders the id column: as lower-case UUID text or as
 * 16 bytes. Both orders are the unsigned order of the ids, but a literal may be anything.
 */
interface IdOrder {
  /** The id whose column value equals the literal. */
  Optional<NodeId> equal(Object literal);

  /** The smallest id whose column value is not below the literal; empty if all are below. */
  Optional<NodeId> atOrAbove(Object literal);

  /** The ids whose column value starts with the literal. */
  Optional<KeyRange> startingWith(Object literal);

  /** The smallest id whose column value is above the literal; empty if none is. */
  default Optional<NodeId> above(Object literal) {
    Optional<NodeId> equal = equal(literal);
    return equal.isEmpty() ? atOrAbove(literal) : after(equal.get());
  }

  /** The ids not below {@code first}; none if there is no such id. */
  static KeyRanges from(Optional<NodeId> first) {
    return first.map(f -> KeyRanges.of(new KeyRange(f, NodeId.MAX))).orElse(KeyRanges.NONE);
  }

  /** The ids below {@code end}; all if there is no such id. */
  static KeyRanges before(Optional<NodeId> end) {
    if (end.isEmpty()) {
      return KeyRanges.ALL;
    }
    return end.get().equals(NodeId.MIN)
        ? KeyRanges.NONE
        : KeyRanges.of(new KeyRange(NodeId.MIN, end.get().previous()));
  }

  /** The next id, empty after the greatest. */
  static Optional<NodeId> after(NodeId id) {
    return id.equals(NodeId.MAX) ? Optional.empty() : Optional.of(id.next());
  }
}
