package com.namidb.format.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects the names and types of all properties of many records, without decoding the values: the
 * base of schema inference. Source: values §1.3, §6.3. Not thread-safe.
 *
 * <p>Names, words, numbers and type tags are checked; what strings, vectors and bytes hold is
 * skipped as {@link PropertyReader} skips what was not asked for. Where a name occurs twice in one
 * object, both values are noted although only the last counts.
 */
public final class PropertyObserver {
  private final NameTable names = new NameTable();
  private final NameTable mapKeys = new NameTable();
  private final List<TypeSummary> summaries = new ArrayList<>();
  private final List<NameTable.Name> order = new ArrayList<>();
  private final JsonString strings = new JsonString();
  private final JsonNumber numbers = new JsonNumber();
  private NameTable.Name current;

  /**
   * Looks at one property object.
   *
   * @throws InvalidJsonException if the object is broken where it was looked at
   */
  public void observe(byte[] json, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, json.length);
    current = null;
    try {
      members(json, offset, JsonScan.fence(json, offset, offset + length));
    } catch (JsonFault fault) {
      throw fault.in(current == null ? null : current.text(), offset);
    }
  }

  /**
   * What was seen so far, by property name. The summaries go on growing with further records.
   *
   * @return a new map
   */
  public SortedMap<String, TypeSummary> summaries() {
    SortedMap<String, TypeSummary> out = new TreeMap<>();
    for (NameTable.Name name : order) {
      TypeSummary summary = summaries.get(name.property());
      if (!summary.types().isEmpty()) {
        out.put(name.text(), summary);
      }
    }
    return out;
  }

  private void members(byte[] b, int from, int end) {
    int p = JsonScan.space(b, from);
    if (b[p] != '{') {
      throw new JsonFault("expected '{'", p);
    }
    p = JsonScan.space(b, p + 1);
    NameTable.Name last = names.start();
    if (b[p] != '}') {
      while (true) {
        NameTable.Name name = last.next();
        if (name != null && name.isAt(b, p, end)) {
          p += name.tokenLength();
        } else {
          p = string(b, p, end);
          name = property();
          last.next(name);
          p = JsonScan.colon(b, p);
        }
        last = name;
        current = name;
        p = value(b, JsonScan.space(b, p), end, 1, summaries.get(name.property()));
        current = null;
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

  private int string(byte[] b, int p, int end) {
    if (b[p] != '"') {
      throw new JsonFault("expected a string", p);
    }
    return strings.read(b, p + 1, end);
  }

  private NameTable.Name property() {
    NameTable.Name name = names.find(strings.buffer(), strings.offset(), strings.length());
    if (name == null) {
      int index = summaries.size();
      name = names.add(strings.buffer(), strings.offset(), strings.length(), index);
      summaries.add(new TypeSummary());
      order.add(name);
    }
    return name;
  }

  private int value(byte[] b, int p, int end, int depth, TypeSummary into) {
    switch (b[p]) {
      case '"' -> {
        into.add(ValueType.STRING);
        return JsonScan.skipString(b, p + 1, end);
      }
      case 'n' -> {
        into.add(ValueType.NULL);
        return JsonScan.literal(b, p, "null");
      }
      case 't' -> {
        into.add(ValueType.BOOL);
        return JsonScan.literal(b, p, "true");
      }
      case 'f' -> {
        into.add(ValueType.BOOL);
        return JsonScan.literal(b, p, "false");
      }
      case '[' -> {
        into.add(ValueType.VECTOR);
        return JsonScan.skipValue(b, p, end, depth);
      }
      case '{' -> {
        return object(b, p, end, JsonScan.deeper(depth, p), into);
      }
      default -> {
        int q = numbers.read(b, p);
        into.add(numbers.isInteger() ? ValueType.INT64 : ValueType.FLOAT64);
        return q;
      }
    }
  }

  private int object(byte[] b, int p, int end, int depth, TypeSummary into) {
    int q = JsonScan.space(b, p + 1);
    if (b[q] == '}') {
      into.add(ValueType.NULL);
      return JsonScan.closeNested(b, q, end);
    }
    q = string(b, q, end);
    Tag tag = Tag.of(strings.buffer(), strings.offset(), strings.length());
    if (tag == null) {
      throw new JsonFault("an object that is no typed value", p);
    }
    q = JsonScan.colon(b, q);
    if (tag == Tag.LIST) {
      q = list(b, q, end, depth, into.listItems());
    } else if (tag == Tag.MAP) {
      into.mapEntries();
      q = map(b, q, end, depth, into);
    } else {
      into.add(tag.type());
      q = JsonScan.skipValue(b, q, end, depth);
    }
    return JsonScan.closeNested(b, q, end);
  }

  private int list(byte[] b, int p, int end, int depth, TypeSummary into) {
    if (b[p] != '[') {
      throw new JsonFault("expected '['", p);
    }
    int inner = JsonScan.deeper(depth, p);
    int q = JsonScan.space(b, p + 1);
    if (b[q] == ']') {
      return q + 1;
    }
    while (true) {
      q = JsonScan.space(b, value(b, q, end, inner, into));
      if (b[q] != ',') {
        break;
      }
      q = JsonScan.space(b, q + 1);
    }
    if (b[q] != ']') {
      throw new JsonFault("expected ',' or ']'", q);
    }
    return q + 1;
  }

  private int map(byte[] b, int p, int end, int depth, TypeSummary into) {
    if (b[p] != '{') {
      throw new JsonFault("expected '{'", p);
    }
    int inner = JsonScan.deeper(depth, p);
    int q = JsonScan.space(b, p + 1);
    if (b[q] == '}') {
      return JsonScan.closeNested(b, q, end);
    }
    while (true) {
      q = string(b, q, end);
      if (!into.hasMoreMapKeys()) {
        into.addMapKey(mapKey());
      }
      q = value(b, JsonScan.colon(b, q), end, inner, into.mapEntries());
      q = JsonScan.space(b, q);
      if (b[q] != ',') {
        return JsonScan.closeNested(b, q, end);
      }
      q = JsonScan.space(b, q + 1);
    }
  }

  /** The text of a map key, made once per key. */
  private String mapKey() {
    NameTable.Name key = mapKeys.find(strings.buffer(), strings.offset(), strings.length());
    if (key == null) {
      if (mapKeys.size() >= TypeSummary.MAX_MAP_KEYS) {
        return strings.text();
      }
      key = mapKeys.add(strings.buffer(), strings.offset(), strings.length(), -1);
    }
    return key.text();
  }
}
