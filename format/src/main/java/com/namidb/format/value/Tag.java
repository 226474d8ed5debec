package com.namidb.format.value;

/** The names that mark an object as a typed value. Source: values §1.3. */
enum Tag {
  BYTES("$bytes", ValueType.BYTES),
  INT8_VECTOR("$i8vec", ValueType.INT8_VECTOR),
  DATE("$date", ValueType.DATE),
  DATETIME("$datetime", ValueType.DATETIME),
  LIST("$list", ValueType.LIST),
  MAP("$map", ValueType.MAP);

  private static final Tag[] ALL = values();

  private final String text;
  private final ValueType type;

  Tag(String text, ValueType type) {
    this.text = text;
    this.type = type;
  }

  /** The type of the values it marks. */
  ValueType type() {
    return type;
  }

  /** The name as it is written. */
  String text() {
    return text;
  }

  /** The tag with this name, {@code null} if there is none. */
  static Tag of(byte[] b, int offset, int length) {
    for (Tag tag : ALL) {
      if (tag.isIn(b, offset, length)) {
        return tag;
      }
    }
    return null;
  }

  private boolean isIn(byte[] b, int offset, int length) {
    if (text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) != b[offset + i]) {
        return false;
      }
    }
    return true;
  }
}
