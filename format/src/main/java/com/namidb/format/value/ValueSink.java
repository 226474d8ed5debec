package com.namidb.format.value;

/**
 * Receives the wanted properties of one record. {@code property} is the position in the list of
 * names the {@link PropertyReader} was made with. A name that occurs twice in a record is delivered
 * twice: the last one counts. Properties that are absent are not delivered. Arrays belong to the
 * caller: valid during the call only, except that a string or JSON slice whose {@code buffer} is
 * the record's own payload buffer lives as long as that.
 */
public interface ValueSink {
  /** Stored explicit null. */
  void nullValue(int property);

  /** Boolean. */
  void bool(int property, boolean value);

  /** Signed 64-bit integer. */
  void int64(int property, long value);

  /** 64-bit float. */
  void float64(int property, double value);

  /** Text, unescaped UTF-8. */
  void string(int property, byte[] buffer, int offset, int length);

  /** Raw bytes. */
  void bytes(int property, byte[] buffer, int offset, int length);

  /** Days since 1970-01-01. */
  void date(int property, int epochDays);

  /** Microseconds since 1970-01-01T00:00:00Z. */
  void datetime(int property, long epochMicros);

  /** 32-bit float vector; the first {@code length} entries count. */
  void vector(int property, float[] components, int length);

  /** Quantised vector: component i is {@code codes[i] * scale}. */
  void int8Vector(int property, float scale, byte[] codes, int length);

  /** List of any values. */
  void list(int property, Value.ListOf value);

  /** Map of any values. */
  void map(int property, Value.MapOf value);

  /**
   * A value of any type but string and null, as the JSON text it is stored in: properties asked for
   * as text.
   */
  void json(int property, byte[] buffer, int offset, int length);
}
