package com.namidb.format.value;

import com.namidb.format.value.RefusedValueException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Writes records' property objects, one after the other, into one growing buffer: compact JSON,
 * names ascending by their UTF-8 bytes as the engine writes them. Source: values §1.5, §1.8. Not
 * thread-safe.
 *
 * <pre>{@code
 * writer.begin();
 * for (int i : writer.order()) {      // leave out what is absent
 *   writer.property(i).int64(42);
 * }
 * int length = writer.end();
 * }</pre>
 */
public final class PropertyWriter {
  private static final int MAX_NAME_BYTES = 1024;

  private final JsonBuffer json = new JsonBuffer();
  private final ValueAppender appender = new ValueAppender(json);
  private final String[] names;
  private final boolean[] indexed;

  /** {@code "name":} per property. */
  private final byte[][] tokens;

  private final int[] order;
  private final int[] rank;

  /** Where the record being written begins, -1 between records. */
  private int start = -1;

  private int lastRank;

  /**
   * Prepares for records whose properties are among these.
   *
   * @param names distinct names; a property's position is its number in {@link #property}
   * @param indexed positions of properties with an index or a uniqueness constraint, whose text is
   *     limited
   * @throws RefusedValueException if a name cannot be stored
   */
  public PropertyWriter(List<String> names, Set<Integer> indexed) {
    int n = names.size();
    this.names = names.toArray(new String[0]);
    this.indexed = new boolean[n];
    this.tokens = new byte[n][];
    this.rank = new int[n];
    byte[][] utf8 = new byte[n][];
    for (int i = 0; i < n; i++) {
      utf8[i] = nameBytes(this.names[i]);
      tokens[i] = token(utf8[i]);
      this.indexed[i] = indexed.contains(i);
    }
    this.order =
        IntStream.range(0, n)
            .boxed()
            .sorted((a, b) -> Arrays.compareUnsigned(utf8[a], utf8[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int k = 0; k < n; k++) {
      rank[order[k]] = k;
      if (k > 0 && Arrays.equals(utf8[order[k - 1]], utf8[order[k]])) {
        throw new IllegalStateException("property written twice: " + this.names[order[k]]);
      }
    }
  }

  private static byte[] nameBytes(String name) {
    if (Utf8.hasLoneSurrogate(name)) {
      throw new RefusedValueException(
          Reason.BAD_UNICODE, name, "the name holds half of a surrogate pair");
    }
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (utf8.length == 0 || utf8.length > MAX_NAME_BYTES) {
      throw new RefusedValueException(
          Reason.NAME_LENGTH, name, "a name of " + utf8.length + " bytes, 1 to 1024 are allowed");
    }
    return utf8;
  }

  private static byte[] token(byte[] utf8) {
    JsonBuffer out = new JsonBuffer();
    out.putString(utf8, 0, utf8.length);
    out.put(':');
    return Arrays.copyOf(out.bytes(), out.size());
  }

  /** The order in which properties have to be written. */
  public int[] order() {
    return order.clone();
  }

  /** Begins a record at the end of the buffer. */
  public void begin() {
    if (start >= 0) {
      throw new IllegalStateException("the last record is not ended");
    }
    start = json.size();
    lastRank = -1;
    json.put('{');
  }

  /**
   * Begins a property of the record; its value has to be given to the result before anything else.
   *
   * @param property position of its name; later in {@link #order} than the last one
   */
  public ValueAppender property(int property) {
    checkComplete();
    if (rank[property] <= lastRank) {
      throw new IllegalStateException("property out of order: " + names[property]);
    }
    if (lastRank >= 0) {
      json.put(',');
    }
    lastRank = rank[property];
    json.put(tokens[property], 0, tokens[property].length);
    appender.expect(names[property], indexed[property]);
    return appender;
  }

  private void checkComplete() {
    if (start < 0) {
      throw new IllegalStateException("no record is begun");
    }
    if (lastRank >= 0 && !appender.isComplete()) {
      throw new IllegalStateException("a property has no complete value");
    }
  }

  /**
   * Ends the record.
   *
   * @return its length; it ends where the buffer ends
   */
  public int end() {
    checkComplete();
    json.put('}');
    int length = json.size() - start;
    start = -1;
    return length;
  }

  /** Takes back what was written of the record, after a refused value. */
  public void abandon() {
    if (start >= 0) {
      json.truncate(start);
      start = -1;
    }
  }

  /** The buffer; valid until the next call of any other method. */
  public byte[] buffer() {
    return json.bytes();
  }

  /** Bytes in the buffer. */
  public int size() {
    return json.size();
  }

  /** Forgets all records, keeping the buffer. */
  public void clear() {
    json.truncate(0);
    start = -1;
  }

  /**
   * One property object of these values.
   *
   * @throws RefusedValueException if a name or value cannot be stored
   */
  public static byte[] write(Map<String, Value> properties) {
    List<String> names = new ArrayList<>(properties.keySet());
    PropertyWriter writer = new PropertyWriter(names, Set.of());
    writer.begin();
    for (int i : writer.order) {
      writer.property(i).value(properties.get(names.get(i)));
    }
    writer.end();
    return Arrays.copyOf(writer.buffer(), writer.size());
  }
}
