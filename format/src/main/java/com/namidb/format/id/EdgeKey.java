package com.namidb.format.id;

import java.io.Serializable;

/**
 * The key of an edge within its type, in file order: forward files order by source then
 * destination, inverse files by destination then source. Source: edge §5.1.
 *
 * @param key first id of the order (source in a forward file)
 * @param partner second id of the order
 */
public record EdgeKey(NodeId key, NodeId partner) implements Comparable<EdgeKey>, Serializable {
  @Override
  public int compareTo(EdgeKey other) {
    int c = key.compareTo(other.key);
    return c != 0 ? c : partner.compareTo(other.partner);
  }
}
