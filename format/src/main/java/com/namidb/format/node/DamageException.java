package com.namidb.format.node;

/**
 * Bytes contradict the format. Internal to this package: whoever knows the object's key turns it
 * into a {@link com.namidb.format.error.CorruptObjectException}.
 */
final class DamageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamageException(String detail) {
    super(detail);
  }

  DamageException(String detail, Throwable cause) {
    super(detail, cause);
  }
}
