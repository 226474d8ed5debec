package com.namidb.format.manifest;

import java.io.Serializable;

/**
 * All object keys of one namespace, percent-encoded. Source: manifest §1.
 *
 * @param root prefix inside the store without leading or trailing slash, may be empty
 * @param namespace namespace name
 */
public record NamespacePaths(String root, String namespace) implements Serializable {
  /** Key of an SST or sidecar from the raw path of its descriptor. */
  public String object(String rawPath) {
    throw new IllegalStateException("not built yet: " + rawPath);
  }

  /** Key of a manifest body. */
  public String body(long version) {
    throw new IllegalStateException("not built yet: " + version);
  }

  /** Key of a pointer. */
  public String pointer(long version) {
    throw new IllegalStateException("not built yet: " + version);
  }

  /** Key of a WAL segment. */
  public String wal(long seq) {
    throw new IllegalStateException("not built yet: " + seq);
  }
}
