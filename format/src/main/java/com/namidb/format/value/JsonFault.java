package com.namidb.format.value;

/**
 * JSON text is broken at a byte of the caller's buffer. Never leaves the package: entry points turn
 * it into an {@link InvalidJsonException} that names the property and counts from the object.
 */
final class JsonFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int at;

  JsonFault(String what, int at) {
    super(what, null, false, false);
    this.at = at;
  }

  InvalidJsonException in(String property, int offset) {
    return new InvalidJsonException(property, getMessage() + " at byte " + (at - offset));
  }
}
