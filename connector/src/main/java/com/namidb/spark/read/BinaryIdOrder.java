package com.namidb.spark.read;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.Arrays;
import java.util.Optional;

/** Ids as 16 bytes, compared unsigned with byte strings of any length; a prefix is smaller. */
final class BinaryIdOrder implements IdOrder {
  @Override
  public Optional<NodeId> equal(Object literal) {
    byte[] bytes = (byte[]) literal;
    return bytes.length == NodeId.BYTES ? Optional.of(NodeId.of(bytes, 0)) : Optional.empty();
  }

  @Override
  public Optional<NodeId> atOrAbove(Object literal) {
    byte[] bytes = (byte[]) literal;
    // Cut to 16 bytes, or filled with zeros: the first id that starts with a shorter literal.
    NodeId head = NodeId.of(Arrays.copyOf(bytes, NodeId.BYTES), 0);
    return bytes.length <= NodeId.BYTES ? Optional.of(head) : IdOrder.after(head);
  }

  @Override
  public Optional<KeyRange> startingWith(Object literal) {
    byte[] bytes = (byte[]) literal;
    if (bytes.length > NodeId.BYTES) {
      return Optional.empty();
    }
    byte[] last = Arrays.copyOf(bytes, NodeId.BYTES);
    Arrays.fill(last, bytes.length, NodeId.BYTES, (byte) 0xFF);
    NodeId first = NodeId.of(Arrays.copyOf(bytes, NodeId.BYTES), 0);
    return Optional.of(new KeyRange(first, NodeId.of(last, 0)));
  }
}
