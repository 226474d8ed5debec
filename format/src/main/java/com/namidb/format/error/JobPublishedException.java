package com.namidb.format.error;

/**
 * A job takes no further step, because it took effect: another run of it committed, and its receipt
 * is the receipt of every run.
 */
public final class JobPublishedException extends InvalidOptionException {
  private static final long serialVersionUID = 1L;

  JobPublishedException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new JobPublishedException(what, where, advice, cause);
  }
}
