package com.namidb.format.error;

/** The object store does not honour the conditions that commits are built on. */
public final class StoreUnsafeException extends NamiException {
  private static final long serialVersionUID = 1L;

  StoreUnsafeException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new StoreUnsafeException(what, where, advice, cause);
  }
}
