package com.namidb.format.validate;

import com.namidb.format.stage.KeyDigest;
import com.namidb.format.store.ObjectStore;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A part of a deep check: can run anywhere that reaches the store. */
public interface AuditPiece extends Serializable {
  /**
   * Runs it.
   *
   * @param store of the namespace; stays owned by the caller
   */
  Outcome run(ObjectStore store);

  /**
   * What a piece found.
   *
   * @param findings problems
   * @param edges live edges of a key range by type
   */
  record Outcome(ArrayList<Finding> findings, TreeMap<String, Edges> edges)
      implements Serializable {
    /** Problems only. */
    public static Outcome of(List<Finding> findings) {
      return new Outcome(new ArrayList<>(findings), new TreeMap<>());
    }
  }

  /**
   * Live edges of one type.
   *
   * @param forward keys of those found by source
   * @param inverse keys of those found by destination
   * @param sources those whose source is missing
   * @param destinations those whose destination is missing
   * @param source a missing source, {@code null} if there is none
   * @param destination a missing destination, likewise
   */
  record Edges(
      KeyDigest forward,
      KeyDigest inverse,
      long sources,
      long destinations,
      String source,
      String destination)
      implements Serializable {
    Edges plus(Edges o) {
      return new Edges(
          forward.plus(o.forward),
          inverse.plus(o.inverse),
          sources + o.sources,
          destinations + o.destinations,
          source != null ? source : o.source,
          destination != null ? destination : o.destination);
    }
  }
}
