package com.namidb.format.error;

/** The object store refused or failed a request for good. */
public final class StoreException extends NamiException {
  private static final long serialVersionUID = 1L;

  StoreException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new StoreException(what, where, advice, cause);
  }
}
