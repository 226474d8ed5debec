package com.namidb.spark.write;

/** A row must not be stored; the message says why. No stack trace: a job may meet many. */
final class RefusedRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedRowException(String reason) {
    super(reason, null, false, false);
  }
}
