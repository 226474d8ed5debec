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

  private static final int MIN_DAY = -719_162;
  private static final int MAX_DAY = 2_932_896;
  private static final long DAY_MICROS = 86_400_000_000L;

  private final JsonBuffer json;
  private final ValueNesting nesting;
  private String property = "";
  private boolean indexed;

  ValueAppender(JsonBuffer json) {
    this.json = json;
    nesting = new ValueNesting(json);
  }

  /** Expects the value of a property. */
  void expect(String name, boolean isIndexed) {
    property = name;
    indexed = isIndexed;
    nesting.expect(name);
  }

  /** Whether the value is there and all its lists and maps are closed. */
  boolean isComplete() {
    return nesting.isComplete();
  }

  private RefusedValueException refuse(Reason reason, String detail) {
    return new RefusedValueException(reason, property, detail);
  }

  /** Writes an explicit null. */
  public void nullValue() {
    nesting.next(0, 0);
    json.put("null");
  }

  /** Writes a boolean. */
  public void bool(boolean value) {
    nesting.next(0, 0);
    json.put(value ? "true" : "false");
  }

  /** Writes an integer. */
  public void int64(long value) {
    nesting.next(0, 0);
    json.put(value);
  }

  /** Writes a float; NaN and infinities are refused. */
  public void float64(double value) {
    if (!Double.isFinite(value)) {
      throw refuse(Reason.NOT_FINITE, value + " cannot be stored");
    }
    nesting.next(0, 0);
    json.put(value);
  }

  /** Writes text. */
  public void string(byte[] utf8, int offset, int length) {
    if (Utf8.firstInvalid(utf8, offset, offset + length) >= 0) {
      throw refuse(Reason.BAD_UNICODE, "text is not valid UTF-8");
    }
    if (indexed && nesting.level() == 0 && length > MAX_INDEXED_BYTES) {
      throw refuse(Reason.INDEXED_LENGTH, "indexed text of " + length + " bytes, 65535 at most");
    }
    nesting.next(length, 0);
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
    nesting.next(length, 0);
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
    nesting.next(0, 0);
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
    nesting.next(0, 0);
    json.put("{\"$datetime\":");
    json.put(epochMicros);
    json.put('}');
  }

  /** Writes the first {@code length} components; NaN and infinities are refused. */
  public void vector(float[] components, int length) {
    for (int i = 0; i < length; i++) {
      checkFinite(components[i]);
    }
    nesting.next(4L * length, length);
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
    nesting.next(length, length);
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
    nesting.next(0, 0);
    nesting.beginList();
    json.put("{\"$list\":[");
  }

  /** Ends the innermost list. */
  public void endList() {
    nesting.endList();
    json.put("]}");
  }

  /** Begins a map. */
  public void beginMap() {
    nesting.next(0, 0);
    json.put("{\"$map\":{");
    nesting.beginMap();
  }

  /** Writes the key of the next entry of the innermost map. */
  public void key(byte[] utf8, int offset, int length) {
    nesting.checkKeyTurn();
    if (length > MAX_KEY_BYTES) {
      throw refuse(Reason.KEY_LENGTH, "a map key of " + length + " bytes, 1024 at most");
    }
    if (Utf8.firstInvalid(utf8, offset, offset + length) >= 0) {
      throw refuse(Reason.BAD_UNICODE, "a map key is not valid UTF-8");
    }
    nesting.key(utf8, offset, length);
    json.putString(utf8, offset, length);
    json.put(':');
  }

  /** Writes the key of the next entry of the innermost map. */
  public void key(String key) {
    byte[] utf8 = utf8(key);
    key(utf8, 0, utf8.length);
  }

  /** Ends the innermost map. */
  public void endMap() {
    if (!nesting.endMap()) {
      throw refuse(Reason.DUPLICATE_KEY, "a map has a key twice");
    }
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
    nesting.next(length, 0);
    json.put(text, offset, length);
  }

  /** Writes a tree. */
  public void value(Value value) {
    TreeWriter.write(value, this);
  }
}
