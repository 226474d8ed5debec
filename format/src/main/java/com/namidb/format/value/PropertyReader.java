package com.namidb.format.value;

import java.util.List;
import java.util.Set;

/**
 * Streams the asked properties of one record's JSON object into a {@link ValueSink}; the others are
 * skipped without being decoded. Source: values §1.3, §1.4. Not thread-safe: holds scratch buffers.
 */
public final class PropertyReader {
  /**
   * Prepares for a projection.
   *
   * @param names asked properties, distinct; the position is what the sink receives
   * @param asText positions whose values are wanted as text: strings unescaped, anything else as
   *     JSON
   */
  public PropertyReader(List<String> names, Set<Integer> asText) {
    throw new IllegalStateException("not built yet: " + names + asText);
  }

  /**
   * Reads one property object.
   *
   * @param json buffer that holds the object
   * @throws InvalidJsonException if the engine would not accept what was looked at
   */
  public void read(byte[] json, int offset, int length, ValueSink sink) {
    throw new IllegalStateException("not built yet: " + json.length + offset + length + sink);
  }
}
