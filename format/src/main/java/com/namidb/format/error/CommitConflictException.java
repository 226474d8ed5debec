package com.namidb.format.error;

/**
 * Rows the job depends on were changed by another commit, or it kept losing the race; nothing was
 * published.
 */
public final class CommitConflictException extends NamiException {
  private static final long serialVersionUID = 1L;

  CommitConflictException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new CommitConflictException(what, where, advice, cause);
  }
}
