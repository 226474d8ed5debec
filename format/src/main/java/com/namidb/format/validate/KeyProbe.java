package com.namidb.format.validate;

import com.namidb.format.store.ObjectStore;
import java.io.Serializable;
import java.util.List;

/** One piece of a check: can run anywhere that reaches the store. */
public interface KeyProbe extends Serializable {
  /**
   * Looks for violations.
   *
   * @param store of the namespace; stays owned by the caller
   * @param limit most to name
   * @return violations, each with its key
   */
  List<String> run(ObjectStore store, int limit);

  /** Runs pieces, in any order and anywhere. */
  @FunctionalInterface
  interface Runner {
    /** What the pieces found, together at most {@code limit} each. */
    List<String> run(List<KeyProbe> pieces, int limit);
  }
}
