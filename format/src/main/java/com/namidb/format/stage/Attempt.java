package com.namidb.format.stage;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * One try to publish, recorded before anything is written, so that a later process can find out
 * what became of it.
 *
 * @param baseVersion version it was built on, unsigned
 * @param writer writer id of the body, used for no other attempt
 * @param ssts ids of all SSTs the body adds
 * @param startedMillis by the driver's clock, since 1970 UTC
 */
public record Attempt(long baseVersion, UUID writer, List<UUID> ssts, long startedMillis)
    implements Serializable {
  /** Copies into a form every serialiser can handle. */
  public Attempt {
    ssts = new ArrayList<>(ssts);
  }
}
