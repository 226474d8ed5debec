package com.namidb.format.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Reads JSON text into trees, for code that is not a hot path. Source: values §1.3, §1.4. */
public final class ValueTree {
  private ValueTree() {}

  /**
   * Reads one value, e.g. what {@link ValueSink#json} delivered.
   *
   * @throws InvalidJsonException if the engine would not accept it
   */
  public static Value parse(byte[] json, int offset, int length) {
    ValueDecoder decoder = new ValueDecoder();
    decode(json, offset, length, decoder, true);
    return decoder.tree();
  }

  /** Checks one value without building it. */
  static void check(byte[] json, int offset, int length) {
    decode(json, offset, length, new ValueDecoder(), false);
  }

  private static void decode(
      byte[] json, int offset, int length, ValueDecoder decoder, boolean tree) {
    Objects.checkFromIndexSize(offset, length, json.length);
    // The scanner wants an object's brace behind the value.
    byte[] b = Arrays.copyOfRange(json, offset, offset + length + 1);
    b[length] = '}';
    try {
      int p = JsonScan.space(b, 0);
      p =
          tree
              ? decoder.decodeTree(b, p, b.length, 1)
              : decoder.decode(b, p, b.length, 1, 0, ValueDecoder.NOTHING);
      p = JsonScan.space(b, p);
      if (p != length) {
        throw new JsonFault("text after the value", p);
      }
    } catch (JsonFault fault) {
      throw fault.in(null, 0);
    }
  }

  /**
   * Reads a whole property object; of duplicate names the last one counts.
   *
   * @return the properties in stored order
   * @throws InvalidJsonException if the engine would not accept it
   */
  public static Map<String, Value> parseProperties(byte[] json, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, json.length);
    ValueDecoder decoder = new ValueDecoder();
    String property = null;
    try {
      int end = JsonScan.fence(json, offset, offset + length);
      int p = JsonScan.space(json, offset);
      if (json[p] != '{') {
        throw new JsonFault("expected '{'", p);
      }
      Map<String, Value> out = new LinkedHashMap<>();
      p = JsonScan.space(json, p + 1);
      while (json[p] != '}') {
        p = decoder.string(json, p, end);
        property = decoder.strings().text();
        p = decoder.decodeTree(json, JsonScan.colon(json, p), end, 1);
        out.put(property, decoder.tree());
        property = null;
        p = afterMember(json, JsonScan.space(json, p));
      }
      if (p + 1 != end) {
        throw new JsonFault("text after the object", p + 1);
      }
      return out;
    } catch (JsonFault fault) {
      throw fault.in(property, offset);
    }
  }

  /** Reads a property object given as text. */
  public static Map<String, Value> parseProperties(String json) {
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    return parseProperties(utf8, 0, utf8.length);
  }

  /** Steps behind a comma, or stays on the closing brace. */
  private static int afterMember(byte[] b, int p) {
    if (b[p] == '}') {
      return p;
    }
    if (b[p] != ',') {
      throw new JsonFault("expected ',' or '}'", p);
    }
    int q = JsonScan.space(b, p + 1);
    if (b[q] == '}') {
      throw new JsonFault("expected a string", q);
    }
    return q;
  }
}
