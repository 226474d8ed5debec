package com.namidb.format.store.open;

import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;

/** Scheme to store, by a plain switch. */
public final class StoreOpener {
  private StoreOpener() {}

  /** Opens the store; makes no request. */
  public static ObjectStore open(StoreConfig config) {
    throw new IllegalStateException("not built yet: " + config);
  }
}
