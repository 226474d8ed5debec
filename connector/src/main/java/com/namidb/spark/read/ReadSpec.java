package com.namidb.spark.read;

import com.namidb.format.store.StoreConfig;
import com.namidb.spark.types.OnMismatch;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * What a task needs besides its slice.
 *
 * @param store how to open the store
 * @param namespace for error messages
 * @param version the pinned snapshot id, unsigned; of changes the later one
 * @param labelNames label names by id, to show {@code _labels}
 * @param schema columns to produce, in order: ours, properties, hidden ones; an id column is text
 *     or binary by its type
 * @param onMismatch what to do with values that do not fit
 * @param since the earlier snapshot id of a scan of changes, {@code null} for a plain scan
 */
public record ReadSpec(
    StoreConfig store,
    String namespace,
    long version,
    List<String> labelNames,
    StructType schema,
    OnMismatch onMismatch,
    Long since)
    implements Serializable {
  /** For a scan of one version. */
  public ReadSpec(
      StoreConfig store,
      String namespace,
      long version,
      List<String> labelNames,
      StructType schema,
      OnMismatch onMismatch) {
    this(store, namespace, version, labelNames, schema, onMismatch, null);
  }
}
