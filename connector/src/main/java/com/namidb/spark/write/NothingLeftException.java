package com.namidb.spark.write;

/** Every staged row was set aside, so that there is nothing to commit. Ends a publication. */
final class NothingLeftException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NothingLeftException() {
    super("every row was set aside", null, false, false);
  }
}
