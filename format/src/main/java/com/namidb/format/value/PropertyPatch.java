package com.namidb.format.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Puts new values of some properties into stored property objects. Every other member keeps its
 * text byte for byte, whatever it says; a named one is replaced where it stands, a new one comes at
 * the end. Source: values §1.3 (any order is read, of equal names the last). Not thread-safe.
 */
public final class PropertyPatch {
  private final NameTable names = new NameTable();
  private final JsonString strings = new JsonString();
  private final JsonBuffer out = new JsonBuffer();
  private final boolean dropNulls;

  /** Members of the current patch, by property: where they start and end, and whether they go. */
  private final int[] from;

  private final int[] to;
  private final boolean[] drops;
  private final boolean[] given;
  private final boolean[] placed;
  private byte[] patch = new byte[0];

  /**
   * Prepares for patches of the same properties.
   *
   * @param names distinct names
   * @param dropNulls whether a null takes the property away; else it is stored
   */
  public PropertyPatch(List<String> names, boolean dropNulls) {
    for (int i = 0; i < names.size(); i++) {
      byte[] utf8 = names.get(i).getBytes(StandardCharsets.UTF_8);
      this.names.add(utf8, 0, utf8.length, i);
    }
    this.dropNulls = dropNulls;
    from = new int[names.size()];
    to = new int[names.size()];
    drops = new boolean[names.size()];
    given = new boolean[names.size()];
    placed = new boolean[names.size()];
  }

  /**
   * Sets the new values.
   *
   * @param json object with names of the patch, each at most once, as {@link PropertyWriter} writes
   *     it; kept until {@link #apply}. A name without a value here stays as it is stored
   */
  public void values(byte[] json, int offset, int length) {
    patch = json;
    Arrays.fill(given, false);
    int end = offset + length;
    int p = offset;
    while (p + 1 < end && json[p + 1] != '}') {
      // The brace, or the comma behind the last member.
      int start = p + 1;
      int q = JsonScan.colon(json, strings.read(json, start + 1, end));
      NameTable.Name name = names.find(strings.buffer(), strings.offset(), strings.length());
      if (name == null) {
        throw new IllegalStateException("a property of the patch was not announced");
      }
      p = JsonScan.skipValue(json, q, end, 1);
      from[name.property()] = start;
      to[name.property()] = p;
      drops[name.property()] = dropNulls && json[q] == 'n';
      given[name.property()] = true;
    }
  }

  /**
   * Applies the values to a stored object; the result is in {@link #buffer}, from position 0.
   *
   * @param length 0 or less for a record without properties
   * @return length of the result; 0 if no property is left
   * @throws InvalidJsonException if the stored object is broken
   */
  public int apply(byte[] stored, int offset, int length) {
    out.truncate(0);
    Arrays.fill(placed, false);
    if (length > 0) {
      Objects.checkFromIndexSize(offset, length, stored.length);
      try {
        members(stored, offset, JsonScan.fence(stored, offset, offset + length));
      } catch (JsonFault fault) {
        throw fault.in(null, offset);
      }
    }
    for (int i = 0; i < placed.length; i++) {
      if (given[i]) {
        place(i);
      }
    }
    if (out.size() == 0) {
      return 0;
    }
    out.put('}');
    return out.size();
  }

  /** Where the last result is; valid until the next call. */
  public byte[] buffer() {
    return out.bytes();
  }

  private void members(byte[] b, int offset, int end) {
    int p = JsonScan.space(b, offset);
    if (b[p] != '{') {
      throw new JsonFault("expected '{'", p);
    }
    p = JsonScan.space(b, p + 1);
    if (b[p] != '}') {
      while (true) {
        p = JsonScan.space(b, member(b, p, end));
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

  private int member(byte[] b, int start, int end) {
    if (b[start] != '"') {
      throw new JsonFault("expected a name", start);
    }
    int value = JsonScan.colon(b, strings.read(b, start + 1, end));
    NameTable.Name name = names.find(strings.buffer(), strings.offset(), strings.length());
    int stop = JsonScan.skipValue(b, value, end, 1);
    if (name == null || !given[name.property()]) {
      copy(b, start, stop);
    } else {
      // A name that comes again had no say beside the last one, and is replaced with it.
      place(name.property());
    }
    return stop;
  }

  private void place(int property) {
    if (!placed[property]) {
      placed[property] = true;
      if (!drops[property]) {
        copy(patch, from[property], to[property]);
      }
    }
  }

  private void copy(byte[] b, int start, int stop) {
    out.put(out.size() == 0 ? '{' : ',');
    out.put(b, start, stop - start);
  }
}
