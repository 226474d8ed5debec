package com.namidb.format.error;

/** Errors of the object store itself. */
public final class StoreErrors {
  private StoreErrors() {}

  /** A request failed for good. */
  public static StoreException failed(String request, String object, Throwable cause) {
    return new StoreException(
        "The object store failed to " + request,
        Where.object(object),
        "Check the store's address, credentials and network, then try again.",
        cause);
  }
}
