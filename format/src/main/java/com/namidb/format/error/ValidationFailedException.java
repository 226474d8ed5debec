package com.namidb.format.error;

/** The staged rows break a rule; nothing was published and the files are kept. */
public final class ValidationFailedException extends NamiException {
  private static final long serialVersionUID = 1L;

  ValidationFailedException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new ValidationFailedException(what, where, advice, cause);
  }
}
