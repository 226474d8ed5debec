package com.namidb.format.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Keeps the last value as a tree. */
final class TreeSink implements ValueSink {
  private static final Value NULL = new Value.Null();

  private Value value;

  Value value() {
    return value;
  }

  @Override
  public void nullValue(int property) {
    value = NULL;
  }

  @Override
  public void bool(int property, boolean v) {
    value = new Value.Bool(v);
  }

  @Override
  public void int64(int property, long v) {
    value = new Value.Int64(v);
  }

  @Override
  public void float64(int property, double v) {
    value = new Value.Float64(v);
  }

  @Override
  public void string(int property, byte[] buffer, int offset, int length) {
    value = new Value.Str(new String(buffer, offset, length, StandardCharsets.UTF_8));
  }

  @Override
  public void bytes(int property, byte[] buffer, int offset, int length) {
    value = new Value.Bytes(HexFormat.of().formatHex(buffer, offset, offset + length));
  }

  @Override
  public void date(int property, int epochDays) {
    value = new Value.Date(epochDays);
  }

  @Override
  public void datetime(int property, long epochMicros) {
    value = new Value.DateTime(epochMicros);
  }

  @Override
  public void vector(int property, float[] components, int length) {
    List<Float> list = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      list.add(components[i]);
    }
    value = new Value.Vector(list);
  }

  @Override
  public void int8Vector(int property, float scale, byte[] codes, int length) {
    List<Byte> list = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      list.add(codes[i]);
    }
    value = new Value.Int8Vector(scale, list);
  }

  @Override
  public void list(int property, Value.ListOf v) {
    value = v;
  }

  @Override
  public void map(int property, Value.MapOf v) {
    value = v;
  }

  @Override
  public void json(int property, byte[] buffer, int offset, int length) {
    throw new IllegalStateException("a tree takes decoded values");
  }
}
