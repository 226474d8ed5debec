package com.namidb.format.value;

import com.namidb.format.value.RefusedValueException.Reason;
import java.nio.charset.StandardCharsets;

/**
 * Writes one value as compact tagged JSON: one call for a scalar or vector; {@link #beginList},
 * values, {@link #endList}; or {@link #beginMap}, {@link #key} and value in turns, {@link #endMap},
 * nested as needed. Map entries may come in any order and are written in ascending order of their
 * keys' bytes. Source: values §1.2, §1.5; limits §1.8. Obtained from {@link
 * PropertyWriter#property}.
 *
 * <p>Every method throws {@link RefusedValueException} for what must not be stored; the record then
 * has to be {@linkplain PropertyWriter#abandon abandoned}. A call out of turn is an {@link
 * IllegalStateException}.
 */
public final class ValueAppender {
  private static final int MAX_KEY_BYTES = 1024;
  private static final int MAX_INDEXED_BYTES = 65_535;

  private static final int MAP_OPEN = -1;
  private static final int KEY_GIVEN = -2;
  private static final int NONE_OPEN = -3;

  private static final int MIN_DAY = -719_162;
  private static final int MAX_DAY = 2_932_896;
  private static final long DAY_MICROS = 86_400_000_000L;

  private final JsonBuffer json;
  private final ValueExtent extent = new ValueExtent();

  /** Per level that holds entries: 1 to one more than a value may lie deep. */
  private final MapFrame[] maps = new MapFrame[ValueExtent.MAX_LEVEL + 2];

  /** Items written per open list, {@code MAP_OPEN} or {@code KEY_GIVEN} for an open map. */
  private final int[] open = new int[ValueExtent.MAX_LEVEL + 1];

  private String property = "";
  private boolean indexed;
  private boolean begun;

  ValueAppender(JsonBuffer json) {
    this.json = json;
  }

  /** Expects the value of a property. */
  void expect(String name, boolean isIndexed) {
    property = name;
    indexed = isIndexed;
    begun = false;
    extent.begin(name);
  }

  /** Whether the value is there and all its lists and maps are closed. */
  boolean isComplete() {
    return begun && extent.level() == 0;
  }

  private RefusedValueException refuse(Reason reason, String detail) {
    return new RefusedValueException(reason, property, detail);
  }

  /** Takes its place before a value: comma, level and counts. */
  private void next(long contentBytes, int components) {
    int level = extent.level();
    if (level == 0) {
      if (begun) {
        throw new IllegalStateException("a second value for property " + property);
      }
      begun = true;
    } else if (open[level - 1] >= 0) {
      if (open[level - 1]++ > 0) {
        json.put(',');
      }
    } else if (open[level - 1] == KEY_GIVEN) {
      open[level - 1] = MAP_OPEN;
    } else {
      throw new IllegalStateException("a map value without key in property " + property);
    }
    extent.count(contentBytes, components);
  }

  /** Writes an explicit null. */
  public void nullValue() {
    next(0, 0);
    json.put("null");
  }

  /** Writes a boolean. */
  public void bool(boolean value) {
    next(0, 0);
    json.put(value ? "true" : "false");
  }

  /** Writes an integer. */
  public void int64(long value) {
    next(0, 0);
    json.put(value);
  }

  /** Writes a float; NaN and infinities are refused. */
  public void float64(double value) {
    if (!Double.isFinite(value)) {
      throw refuse(Reason.NOT_FINITE, value + " cannot be stored");
    }
    next(0, 0);
    json.put(value);
  }

  /** Writes text. */
  public void string(byte[] utf8, int offset, int length) {
    if (Utf8.firstInvalid(utf8, offset, offset + length) >= 0) {
      throw refuse(Reason.BAD_UNICODE, "text is not valid UTF-8");
    }
    if (indexed && extent.level() == 0 && length > MAX_INDEXED_BYTES) {
      throw refuse(Reason.INDEXED_LENGTH, "indexed text of " + length + " bytes, 65535 at most");
    }
    next(length, 0);
    json.putString(utf8, offset, length);
  }

  /** Writes text. */
  public void string(String value) {
    byte[] utf8 = utf8(value);
    string(utf8, 0, utf8.length);
  }

  private byte[] utf8(String text) {
    if (Utf8.hasLoneSurrogate(text)) {
      throw refuse(Reason.BAD_UNICODE, "text holds half of a surrogate pair");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes raw bytes. */
  public void bytes(byte[] value, int offset, int length) {
    next(length, 0);
    json.put("{\"$bytes\":[");
    for (int i = offset; i < offset + length; i++) {
      if (i > offset) {
        json.put(',');
      }
      json.put((long) (value[i] & 0xFF));
    }
    json.put("]}");
  }

  /** Writes a date, in days since 1970-01-01, of the years 1 to 9999. */
  public void date(int epochDays) {
    if (epochDays < MIN_DAY || epochDays > MAX_DAY) {
      throw refuse(Reason.DATE_RANGE, "day " + epochDays + " is outside the years 1 to 9999");
    }
    next(0, 0);
    json.put("{\"$date\":");
    json.put((long) epochDays);
    json.put('}');
  }

  /** Writes an instant, in microseconds since 1970-01-01T00:00:00Z, of the years 1 to 9999. */
  public void datetime(long epochMicros) {
    if (epochMicros < MIN_DAY * DAY_MICROS || epochMicros >= (MAX_DAY + 1) * DAY_MICROS) {
      throw refuse(
          Reason.DATE_RANGE, "microsecond " + epochMicros + " is outside the years 1 to 9999");
    }
    next(0, 0);
    json.put("{\"$datetime\":");
    json.put(epochMicros);
    json.put('}');
  }

  /** Writes the first {@code length} components; NaN and infinities are refused. */
  public void vector(float[] components, int length) {
    for (int i = 0; i < length; i++) {
      checkFinite(components[i]);
    }
    next(4L * length, length);
    json.put('[');
    for (int i = 0; i < length; i++) {
      if (i > 0) {
        json.put(',');
      }
      json.put(components[i]);
    }
    json.put(']');
  }

  private void checkFinite(float f) {
    if (!Float.isFinite(f)) {
      throw refuse(Reason.NOT_FINITE, "a vector with " + f + " cannot be stored");
    }
  }

  /** Writes the first {@code length} codes and their scale, which must be finite. */
  public void int8Vector(float scale, byte[] codes, int length) {
    checkFinite(scale);
    next(length, length);
    json.put("{\"$i8vec\":[");
    json.put(scale);
    json.put(",[");
    for (int i = 0; i < length; i++) {
      if (i > 0) {
        json.put(',');
      }
      json.put((long) codes[i]);
    }
    json.put("]]}");
  }

  /** Begins a list. */
  public void beginList() {
    next(0, 0);
    descend(0);
    json.put("{\"$list\":[");
  }

  /** Ends the innermost list. */
  public void endList() {
    if (innermost() < 0) {
      throw new IllegalStateException("no list to end in property " + property);
    }
    extent.ascend();
    json.put("]}");
  }

  /** Begins a map. */
  public void beginMap() {
    next(0, 0);
    descend(MAP_OPEN);
    json.put("{\"$map\":{");
    int level = extent.level();
    if (maps[level] == null) {
      maps[level] = new MapFrame();
    }
    maps[level].begin(json.size());
  }

  private void descend(int state) {
    open[extent.level()] = state;
    extent.descend();
  }

  /** What is known of the innermost open list or map; {@code NONE_OPEN} without one. */
  private int innermost() {
    int level = extent.level();
    return level == 0 ? NONE_OPEN : open[level - 1];
  }

  /** Writes the key of the next entry of the innermost map. */
  public void key(byte[] utf8, int offset, int length) {
    if (innermost() != MAP_OPEN) {
      throw new IllegalStateException("a key out of turn in property " + property);
    }
    if (length > MAX_KEY_BYTES) {
      throw refuse(Reason.KEY_LENGTH, "a map key of " + length + " bytes, 1024 at most");
    }
    if (Utf8.firstInvalid(utf8, offset, offset + length) >= 0) {
      throw refuse(Reason.BAD_UNICODE, "a map key is not valid UTF-8");
    }
    extent.grow(length);
    MapFrame map = maps[extent.level()];
    if (map.count() > 0) {
      json.put(',');
    }
    map.add(json.size(), utf8, offset, length);
    json.putString(utf8, offset, length);
    json.put(':');
    open[extent.level() - 1] = KEY_GIVEN;
  }

  /** Writes the key of the next entry of the innermost map. */
  public void key(String key) {
    byte[] utf8 = utf8(key);
    key(utf8, 0, utf8.length);
  }

  /** Ends the innermost map. */
  public void endMap() {
    if (innermost() != MAP_OPEN) {
      throw new IllegalStateException("no map to end in property " + property);
    }
    if (!maps[extent.level()].sort(json)) {
      throw refuse(Reason.DUPLICATE_KEY, "a map has a key twice");
    }
    extent.ascend();
    json.put("}}");
  }

  /**
   * Writes a stored value's own text. Its grammar is checked, its limits are not: what the engine
   * holds already may be written back.
   */
  public void json(byte[] text, int offset, int length) {
    try {
      ValueTree.check(text, offset, length);
    } catch (InvalidJsonException e) {
      throw refuse(Reason.BAD_JSON, e.getMessage());
    }
    next(length, 0);
    json.put(text, offset, length);
  }

  /** Writes a tree. */
  public void value(Value value) {
    TreeWriter.write(value, this);
  }
}
