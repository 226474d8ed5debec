package com.namidb.format.value;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Streams the asked properties of one record's JSON object into a {@link ValueSink}; the others are
 * skipped without being decoded. Source: values §1.3, §1.4. Not thread-safe: holds scratch buffers.
 *
 * <p>What was asked for is accepted exactly when the engine accepts it. A skipped value only has to
 * keep its shape (strings closed, brackets paired, scalars in one piece), so a record the engine
 * refuses for such a value may be read here; every name is checked, asked or not. Numbers are
 * rounded correctly, which the engine's own decoder does not always do (values §1.5).
 */
public final class PropertyReader {
  /** Names remembered beyond the asked ones; more would only fill memory. */
  private static final int MAX_LEARNED = 4096;

  private final NameTable names = new NameTable();
  private final ValueDecoder decoder = new ValueDecoder();
  private final boolean[] asText;
  private final String[] texts;
  private final int maxNames;
  private NameTable.Name found;
  private int current = -1;

  /**
   * Prepares for a projection.
   *
   * @param names asked properties, distinct; the position is what the sink receives
   * @param asText positions whose values are wanted as text: strings unescaped, anything else as
   *     JSON
   */
  public PropertyReader(List<String> names, Set<Integer> asText) {
    this.asText = new boolean[names.size()];
    this.texts = names.toArray(new String[0]);
    for (int i = 0; i < texts.length; i++) {
      byte[] utf8 = texts[i].getBytes(StandardCharsets.UTF_8);
      if (this.names.find(utf8, 0, utf8.length) != null) {
        throw new IllegalStateException("property asked for twice: " + texts[i]);
      }
      this.names.add(utf8, 0, utf8.length, i);
      this.asText[i] = asText.contains(i);
    }
    this.maxNames = texts.length + MAX_LEARNED;
  }

  /**
   * Reads one property object.
   *
   * @param json buffer that holds the object; nothing outside the slice influences the result
   * @throws InvalidJsonException if the engine would not accept what was looked at; the sink may
   *     have received a part of the record by then
   */
  public void read(byte[] json, int offset, int length, ValueSink sink) {
    Objects.checkFromIndexSize(offset, length, json.length);
    current = -1;
    try {
      members(json, offset, JsonScan.fence(json, offset, offset + length), sink);
    } catch (JsonFault fault) {
      throw fault.in(current < 0 ? null : texts[current], offset);
    }
  }

  private void members(byte[] b, int from, int end, ValueSink sink) {
    int p = JsonScan.space(b, from);
    if (b[p] != '{') {
      throw new JsonFault("expected '{'", p);
    }
    p = JsonScan.space(b, p + 1);
    NameTable.Name name = names.start();
    if (b[p] != '}') {
      while (true) {
        NameTable.Name next = name.next();
        if (next != null && next.isAt(b, p, end)) {
          p += next.tokenLength();
          name = next;
        } else {
          p = name(b, p, end);
          next = found;
          if (next != null) {
            name.next(next);
            name = next;
          }
        }
        p = JsonScan.space(b, p);
        p =
            next == null || next.property() < 0
                ? JsonScan.skipValue(b, p, end, 1)
                : value(b, p, end, next.property(), sink);
        p = JsonScan.space(b, p);
        if (b[p] != ',') {
          break;
        }
        p = JsonScan.space(b, p + 1);
      }
    }
    if (b[p] != '}') {
      throw new JsonFault("expected ',' or '}'", p);
    }
    if (p + 1 != end) {
      throw new JsonFault("text after the object", p + 1);
    }
  }

  /** Reads a name the slow way, with its colon; {@code found} is null if it is not remembered. */
  private int name(byte[] b, int p, int end) {
    int q = JsonScan.colon(b, decoder.string(b, p, end));
    JsonString s = decoder.strings();
    found = names.find(s.buffer(), s.offset(), s.length());
    if (found == null && names.size() < maxNames) {
      found = names.add(s.buffer(), s.offset(), s.length(), -1);
    }
    return q;
  }

  private int value(byte[] b, int p, int end, int property, ValueSink sink) {
    current = property;
    int q =
        asText[property] && b[p] != '"' && b[p] != 'n'
            ? json(b, p, end, property, sink)
            : decoder.decode(b, p, end, 1, property, sink);
    current = -1;
    return q;
  }

  private int json(byte[] b, int p, int end, int property, ValueSink sink) {
    int q = decoder.decode(b, p, end, 1, property, ValueDecoder.NOTHING);
    if (b[p] == '{' && b[JsonScan.space(b, p + 1)] == '}') {
      sink.nullValue(property);
    } else {
      sink.json(property, b, p, q - p);
    }
    return q;
  }
}
