package com.namidb.spark.read;

import com.namidb.format.scan.LiveBatches;
import com.namidb.format.store.MeteredStore;
import java.util.List;
import java.util.Set;

/**
 * An open slice and what a reader needs beside it.
 *
 * @param edgeType its edge type, {@code null} for nodes
 * @param rows its live records
 * @param names names its rows in errors
 * @param properties makes the decoder for a projection
 * @param store where the slice is read from; closed with it
 */
record OpenSlice(
    String edgeType, LiveBatches rows, RowNames names, Decoder properties, MeteredStore store)
    implements AutoCloseable {
  @Override
  public void close() {
    try {
      rows.close();
    } finally {
      store.close();
    }
  }

  /** Makes decoders. */
  @FunctionalInterface
  interface Decoder {
    /**
     * A decoder of the asked properties.
     *
     * @param names asked names; the position is what the sink receives
     * @param asText positions wanted as text
     */
    PropertySource make(List<String> names, Set<Integer> asText);
  }
}
