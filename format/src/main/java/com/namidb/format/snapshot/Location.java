package com.namidb.format.snapshot;

import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.StoreConfig;
import java.io.Serializable;

/**
 * Where a namespace is. Source: manifest §1.5, contract §2, §9.
 *
 * @param store how to reach the store
 * @param paths root and namespace
 * @param layout layout it must have and is created in, {@code null} to recognise it
 */
public record Location(StoreConfig store, NamespacePaths paths, Layout layout)
    implements Serializable {
  /** A namespace of whatever layout. */
  public Location(StoreConfig store, NamespacePaths paths) {
    this(store, paths, null);
  }
}
