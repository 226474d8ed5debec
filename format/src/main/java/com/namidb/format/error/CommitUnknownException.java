package com.namidb.format.error;

/** Whether the commit took effect could not be found out. The message says how to settle it. */
public final class CommitUnknownException extends NamiException {
  private static final long serialVersionUID = 1L;

  CommitUnknownException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new CommitUnknownException(what, where, advice, cause);
  }
}
