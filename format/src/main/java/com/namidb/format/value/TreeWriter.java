package com.namidb.format.value;

import java.util.HexFormat;
import java.util.List;

/** Writes trees through the typed calls of a {@link ValueAppender}. */
final class TreeWriter {
  private TreeWriter() {}

  static void write(Value value, ValueAppender to) {
    switch (value.type()) {
      case NULL -> to.nullValue();
      case BOOL -> to.bool(((Value.Bool) value).value());
      case INT64 -> to.int64(((Value.Int64) value).value());
      case FLOAT64 -> to.float64(((Value.Float64) value).value());
      case STRING -> to.string(((Value.Str) value).value());
      case BYTES -> bytes((Value.Bytes) value, to);
      case VECTOR -> vector(((Value.Vector) value).components(), to);
      case INT8_VECTOR -> int8Vector((Value.Int8Vector) value, to);
      case DATE -> to.date(((Value.Date) value).epochDays());
      case DATETIME -> to.datetime(((Value.DateTime) value).epochMicros());
      case LIST -> list((Value.ListOf) value, to);
      case MAP -> map((Value.MapOf) value, to);
    }
  }

  private static void bytes(Value.Bytes value, ValueAppender to) {
    byte[] raw = HexFormat.of().parseHex(value.hex());
    to.bytes(raw, 0, raw.length);
  }

  private static void vector(List<Float> list, ValueAppender to) {
    float[] components = new float[list.size()];
    for (int i = 0; i < components.length; i++) {
      components[i] = list.get(i);
    }
    to.vector(components, components.length);
  }

  private static void int8Vector(Value.Int8Vector value, ValueAppender to) {
    byte[] codes = new byte[value.codes().size()];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = value.codes().get(i);
    }
    to.int8Vector(value.scale(), codes, codes.length);
  }

  private static void list(Value.ListOf value, ValueAppender to) {
    to.beginList();
    for (Value item : value.items()) {
      write(item, to);
    }
    to.endList();
  }

  private static void map(Value.MapOf value, ValueAppender to) {
    to.beginMap();
    value
        .entries()
        .forEach(
            (key, entry) -> {
              to.key(key);
              write(entry, to);
            });
    to.endMap();
  }
}
