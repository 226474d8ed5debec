package com.namidb.format.commit;

import java.util.Optional;
import java.util.Set;

/**
 * Which rows a job reads or writes, for finding conflicts. Nodes are not told apart by label: any
 * write of a node may give it a label or take one away, and no descriptor says which.
 *
 * @param nodes whether nodes matter
 * @param types edge types that matter; empty optional means all
 */
public record Footprint(boolean nodes, Optional<Set<String>> types) {
  /** Everything. */
  public static final Footprint ALL = new Footprint(true, Optional.empty());

  /** Copies. */
  public Footprint {
    types = types.map(Set::copyOf);
  }

  /** Whether an edge type matters. */
  boolean type(String name) {
    return types.isEmpty() || types.get().contains(name);
  }
}
