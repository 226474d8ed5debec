package com.namidb.format.value;

/**
 * A value must not be written: the engine could not store, flush or read it back (values §1.5,
 * §1.8). Internal to the writing path: whoever knows the row fails the job or quarantines the row.
 * Carries no stack trace, since a job may meet millions.
 */
public final class RefusedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a value is refused. */
  public enum Reason {
    /** NaN or an infinity. */
    NOT_FINITE,
    /** Invalid UTF-8 or half of a surrogate pair. */
    BAD_UNICODE,
    /** A property name is not 1 to 1024 bytes long. */
    NAME_LENGTH,
    /** A map key is longer than 1024 bytes. */
    KEY_LENGTH,
    /** A map has a key twice. */
    DUPLICATE_KEY,
    /** A value lies more than 32 levels deep. */
    NESTING,
    /** More than 1,000,000 elements in one value. */
    ELEMENTS,
    /** More than 64 MiB in one value. */
    SIZE,
    /** More than 65,535 bytes in a string that is indexed or unique. */
    INDEXED_LENGTH,
    /** A date or time outside the years 1 to 9999. */
    DATE_RANGE,
    /** Text given as stored JSON is none. */
    BAD_JSON
  }

  private final Reason reason;
  private final String property;

  RefusedValueException(Reason reason, String property, String detail) {
    super("property '" + property + "': " + detail, null, false, false);
    this.reason = reason;
    this.property = property;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** The property being written. */
  public String property() {
    return property;
  }
}
