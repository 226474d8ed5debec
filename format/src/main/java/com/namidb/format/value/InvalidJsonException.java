package com.namidb.format.value;

/**
 * A property object is outside the grammar (values §1.3, §1.4). Internal to the reading path:
 * whoever knows the record's id turns it into a {@link com.namidb.format.error.NamiException}.
 */
public final class InvalidJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String property;

  /**
   * Names the property.
   *
   * @param property property being read, {@code null} if the object itself is broken
   * @param detail what is wrong and at which byte
   */
  public InvalidJsonException(String property, String detail) {
    super(detail);
    this.property = property;
  }

  /** The property being read, {@code null} if the object itself is broken. */
  public String property() {
    return property;
  }
}
