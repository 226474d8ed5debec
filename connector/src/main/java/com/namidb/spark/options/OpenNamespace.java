package com.namidb.spark.options;

import com.namidb.format.snapshot.Location;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A namespace the driver has open. One per location and driver, so that clients are made once and a
 * newest version already seen costs no GET; stays open as long as the driver runs. Thread-safe.
 *
 * @param location where it is
 * @param store its store
 * @param namespace its versions
 */
public record OpenNamespace(Location location, ObjectStore store, Namespace namespace) {
  private static final Map<Location, OpenNamespace> OPEN = new ConcurrentHashMap<>();

  /** The namespace at a location; makes no request. */
  public static OpenNamespace at(Location location) {
    // Whatever layout is asked for: what one write has committed, the next one must know of.
    OpenNamespace opened =
        OPEN.computeIfAbsent(
            inAnyLayout(location),
            l -> {
              ObjectStore store = StoreOpener.open(l.store());
              return new OpenNamespace(l, store, Namespace.open(l, store));
            });
    return location.layout() == null
        ? opened
        : new OpenNamespace(location, opened.store, opened.namespace.as(location.layout()));
  }

  /** Forgets what is known of a namespace that is gone: another may come under its name. */
  public static void forget(Location location) {
    OPEN.remove(inAnyLayout(location));
  }

  private static Location inAnyLayout(Location location) {
    return new Location(location.store(), location.paths());
  }
}
