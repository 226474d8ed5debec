package com.namidb.format.snapshot;

import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.StoreConfig;
import java.io.Serializable;

/**
 * Where a namespace is. Source: manifest §1.5, contract §2.
 *
 * @param store how to reach the store
 * @param paths root and namespace
 */
public record Location(StoreConfig store, NamespacePaths paths) implements Serializable {}
