package com.namidb.spark.options;

import java.util.Optional;

/** Which table of a namespace a read wants. Contract §3. */
public sealed interface TableTarget {
  /** Whether it is the table of one label or one edge type. */
  default boolean isOne() {
    return false;
  }

  /**
   * Nodes.
   *
   * @param label only nodes with this label; empty for all nodes
   */
  record NodesOf(Optional<String> label) implements TableTarget {
    @Override
    public boolean isOne() {
      return label.isPresent();
    }

    @Override
    public String toString() {
      return label.map(l -> "nodes." + l).orElse("nodes");
    }
  }

  /**
   * Edges.
   *
   * @param type only edges of this type; empty for all edges
   */
  record EdgesOf(Optional<String> type) implements TableTarget {
    @Override
    public boolean isOne() {
      return type.isPresent();
    }

    @Override
    public String toString() {
      return type.map(t -> "edges." + t).orElse("edges");
    }
  }

  /**
   * A metadata table.
   *
   * @param name its name, such as {@code snapshots}
   */
  record MetadataOf(String name) implements TableTarget {
    @Override
    public String toString() {
      return name;
    }
  }
}
