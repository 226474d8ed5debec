package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;

/** A lease object below {@code manifest/pins/}. Source: manifest §6.5. */
final class VersionLease implements Lease {
  private VersionLease() {}

  static Lease acquire(Snapshot snapshot, ObjectStore store) {
    throw new IllegalStateException("not built yet: " + snapshot + store);
  }

  @Override
  public long renewAfterMillis() {
    return 0;
  }

  @Override
  public boolean renew() {
    return false;
  }

  @Override
  public void release() {}
}
