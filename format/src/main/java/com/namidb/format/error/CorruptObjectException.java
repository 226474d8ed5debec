package com.namidb.format.error;

/**
 * An object is missing, damaged, truncated or contradicts its descriptor; no row of it was
 * returned.
 */
public final class CorruptObjectException extends NamiException {
  private static final long serialVersionUID = 1L;

  CorruptObjectException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new CorruptObjectException(what, where, advice, cause);
  }
}
