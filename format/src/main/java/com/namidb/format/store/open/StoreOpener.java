package com.namidb.format.store.open;

import com.namidb.format.error.LocationErrors;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.local.LocalStore;
import com.namidb.format.store.memory.MemoryStore;
import com.namidb.format.store.s3.S3Store;

/** Scheme to store, by a plain switch. */
public final class StoreOpener {
  private StoreOpener() {}

  /**
   * Opens the store; makes no request.
   *
   * @throws com.namidb.format.error.InvalidOptionException if no store has the scheme, or an option
   *     has no sense
   */
  public static ObjectStore open(StoreConfig config) {
    return switch (config.scheme()) {
      case "file" -> LocalStore.open(config.place());
      case "memory" -> MemoryStore.opened(config.place());
      case "s3" -> S3Store.open(config);
      default -> throw LocationErrors.unknownScheme(config.scheme());
    };
  }
}
