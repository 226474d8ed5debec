package com.namidb.format.scan;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;

/** Turns a request on a snapshot into slices. */
public final class ScanPlanner {
  private ScanPlanner() {}

  /** Plans; reads the listed WAL, and footers of SSTs that must be cut. */
  public static ScanPlan plan(Snapshot snapshot, ScanRequest request, ObjectStore store) {
    throw new IllegalStateException("not built yet: " + snapshot + request + store);
  }
}
