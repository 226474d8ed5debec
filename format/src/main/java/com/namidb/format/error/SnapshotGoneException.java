package com.namidb.format.error;

/** The version asked for is collected, or was never committed. */
public final class SnapshotGoneException extends NamiException {
  private static final long serialVersionUID = 1L;

  SnapshotGoneException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new SnapshotGoneException(what, where, advice, cause);
  }
}
