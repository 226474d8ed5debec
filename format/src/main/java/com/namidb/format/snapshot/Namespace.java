package com.namidb.format.snapshot;

import com.namidb.format.log.ManifestLog;
import com.namidb.format.store.ObjectStore;

/** The front door: a store, the right log, snapshots. */
public final class Namespace {
  private Namespace() {}

  /**
   * Opens a namespace; no request is made yet.
   *
   * @param store the store of {@code location}; stays owned by the caller
   */
  public static Namespace open(Location location, ObjectStore store) {
    throw new IllegalStateException("not built yet: " + location + store);
  }

  /** Opens the version asked for. */
  public Snapshot snapshot(SnapshotSelector selector) {
    throw new IllegalStateException("not built yet: " + selector);
  }

  /** The history of versions. */
  public ManifestLog log() {
    throw new IllegalStateException("not built yet");
  }
}
