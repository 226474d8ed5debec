package com.namidb.format.store;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * How to reach a store: everything a task needs to open it again. {@code toString} never shows an
 * option's value, because some are secrets.
 *
 * @param scheme {@code file}, {@code memory} or {@code s3}
 * @param place directory, memory store name, or bucket
 * @param options store options by name, e.g. {@code s3.endpoint}
 */
public record StoreConfig(String scheme, String place, Map<String, String> options)
    implements Serializable {
  /** Copies the options into a form every serialiser can handle. */
  public StoreConfig {
    options = new HashMap<>(options);
  }

  @Override
  public String toString() {
    return scheme + "://" + place;
  }
}
