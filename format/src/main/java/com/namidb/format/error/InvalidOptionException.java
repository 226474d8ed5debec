package com.namidb.format.error;

/** An option, name or schema given by the user cannot be used. */
public class InvalidOptionException extends NamiException {
  private static final long serialVersionUID = 1L;

  InvalidOptionException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new InvalidOptionException(what, where, advice, cause);
  }
}
