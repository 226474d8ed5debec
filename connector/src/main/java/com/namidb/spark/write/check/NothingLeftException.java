package com.namidb.spark.write.check;

/** Every staged row was set aside, so that there is nothing to commit. Ends a publication. */
public final class NothingLeftException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Without a stack trace: it is no failure. */
  public NothingLeftException() {
    super("every row was set aside", null, false, false);
  }
}
