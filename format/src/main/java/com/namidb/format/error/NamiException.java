package com.namidb.format.error;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Root of all errors a user can meet. The message has three parts: what happened, where, what to
 * do. Contract §10. Never holds a secret.
 */
public abstract class NamiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final Where where;
  private final String advice;

  NamiException(String what, Where where, String advice, Throwable cause) {
    super(message(what, where, advice), cause);
    this.what = what;
    this.where = where;
    this.advice = advice;
  }

  private static String message(String what, Where where, String advice) {
    String place = where.text();
    return what + (place.isEmpty() ? "" : " (" + place + ")") + ". " + advice;
  }

  /** Name of the namespace, where known. */
  public Optional<String> namespace() {
    return Optional.ofNullable(where.namespace());
  }

  /** Manifest version as an unsigned number, where known. */
  public OptionalLong version() {
    return where.version() == null ? OptionalLong.empty() : OptionalLong.of(where.version());
  }

  /** Object key or manifest path, where known. */
  public Optional<String> object() {
    return Optional.ofNullable(where.object());
  }

  /** Id of the write job, where known. */
  public Optional<String> jobId() {
    return Optional.ofNullable(where.jobId());
  }

  /**
   * The same error with what is still unknown about its place filled in; cause, stack trace and
   * suppressed errors are kept.
   */
  public final NamiException at(Where outer) {
    Where full = where.or(outer);
    if (full.equals(where)) {
      return this;
    }
    NamiException out = copy(what, full, advice, getCause());
    out.setStackTrace(getStackTrace());
    for (Throwable s : getSuppressed()) {
      out.addSuppressed(s);
    }
    return out;
  }

  abstract NamiException copy(String what, Where where, String advice, Throwable cause);
}
