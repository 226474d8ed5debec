package com.namidb.format.value;

import com.namidb.format.value.RefusedValueException.Reason;

/**
 * How far one value that is being written reaches: levels, elements, bytes. Limits: values §1.8.
 */
final class ValueExtent {
  /** How deep a value may lie. */
  static final int MAX_LEVEL = 32;

  private static final int MAX_ELEMENTS = 1_000_000;
  private static final int MAX_BYTES = 64 << 20;

  /** What a number takes in the engine's binary form: no value needs more around its content. */
  private static final int VALUE_BYTES = 9;

  private String property = "";
  private int level;
  private int elements;
  private long size;

  /** Starts anew with the value of a property. */
  void begin(String name) {
    property = name;
    level = 0;
    elements = 0;
    size = 0;
  }

  /** Lists and maps open around the next value. */
  int level() {
    return level;
  }

  /** A list or map begins, after it was counted itself. */
  void descend() {
    level++;
  }

  /** The innermost list or map ends. */
  void ascend() {
    level--;
  }

  /**
   * Counts a value.
   *
   * @param contentBytes what it holds, without nested values
   * @param components of a vector, else 0
   * @throws RefusedValueException if it lies too deep or is too much
   */
  void count(long contentBytes, int components) {
    if (level > MAX_LEVEL) {
      throw refuse(Reason.NESTING, "a value more than " + MAX_LEVEL + " levels deep");
    }
    elements += 1;
    if (components > MAX_ELEMENTS - elements) {
      throw refuse(Reason.ELEMENTS, "more than " + MAX_ELEMENTS + " elements");
    }
    elements += components;
    grow(contentBytes);
  }

  /**
   * Counts a map's key.
   *
   * @throws RefusedValueException if it is too much
   */
  void grow(long contentBytes) {
    size += contentBytes + VALUE_BYTES;
    if (size > MAX_BYTES) {
      throw refuse(Reason.SIZE, "more than 64 MiB");
    }
  }

  private RefusedValueException refuse(Reason reason, String detail) {
    return new RefusedValueException(reason, property, detail);
  }
}
