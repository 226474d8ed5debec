package com.namidb.format.error;

/** A stored value does not parse or does not fit the column it is read into. */
public final class InvalidValueException extends NamiException {
  private static final long serialVersionUID = 1L;

  InvalidValueException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new InvalidValueException(what, where, advice, cause);
  }
}
