package com.namidb.format.retention;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a sweep is about to delete, in this order, or has deleted.
 *
 * @param doomed the objects
 * @param horizon oldest version that stays; empty where no version is collected
 * @param notes what a person should know: what keeps versions, what was left alone and why
 */
public record SweepPlan(List<Doomed> doomed, OptionalLong horizon, List<String> notes) {
  /** Copies. */
  public SweepPlan {
    doomed = List.copyOf(doomed);
    notes = List.copyOf(notes);
  }

  /** Bytes of all objects. */
  public long bytes() {
    return doomed.stream().mapToLong(d -> d.object().size()).sum();
  }
}
