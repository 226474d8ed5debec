package com.namidb.format.value;

/** Takes values that are only checked. */
final class NoSink implements ValueSink {
  @Override
  public void nullValue(int property) {}

  @Override
  public void bool(int property, boolean value) {}

  @Override
  public void int64(int property, long value) {}

  @Override
  public void float64(int property, double value) {}

  @Override
  public void string(int property, byte[] buffer, int offset, int length) {}

  @Override
  public void bytes(int property, byte[] buffer, int offset, int length) {}

  @Override
  public void date(int property, int epochDays) {}

  @Override
  public void datetime(int property, long epochMicros) {}

  @Override
  public void vector(int property, float[] components, int length) {}

  @Override
  public void int8Vector(int property, float scale, byte[] codes, int length) {}

  @Override
  public void list(int property, Value.ListOf value) {}

  @Override
  public void map(int property, Value.MapOf value) {}

  @Override
  public void json(int property, byte[] buffer, int offset, int length) {}
}
