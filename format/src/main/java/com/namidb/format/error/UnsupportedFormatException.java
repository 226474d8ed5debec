package com.namidb.format.error;

/** An object is of a format generation this connector does not know. */
public final class UnsupportedFormatException extends NamiException {
  private static final long serialVersionUID = 1L;

  UnsupportedFormatException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new UnsupportedFormatException(what, where, advice, cause);
  }
}
