package com.namidb.format.error;

/** There is no namespace at the location. */
public final class NamespaceNotFoundException extends NamiException {
  private static final long serialVersionUID = 1L;

  NamespaceNotFoundException(String what, Where where, String advice, Throwable cause) {
    super(what, where, advice, cause);
  }

  @Override
  NamiException copy(String what, Where where, String advice, Throwable cause) {
    return new NamespaceNotFoundException(what, where, advice, cause);
  }
}
