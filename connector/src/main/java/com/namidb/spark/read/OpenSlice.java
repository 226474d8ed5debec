package com.namidb.spark.read;

import java.util.List;
import java.util.Set;

/**
 * An open slice and what a reader needs beside it.
 *
 * @param edgeType its edge type, {@code null} for nodes
 * @param rows its live records
 * @param names names its rows in errors
 * @param properties makes the decoder for a projection
 * @param closing what to close after the rows: the store
 */
record OpenSlice(
    String edgeType, LiveBatches rows, RowNames names, Decoder properties, Runnable closing)
    implements AutoCloseable {
  @Override
  public void close() {
    try {
      rows.close();
    } finally {
      closing.run();
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
