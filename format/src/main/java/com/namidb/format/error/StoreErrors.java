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

  /**
   * The file system under a local store failed.
   *
   * @param request what was tried, e.g. {@code "read"}
   */
  public static StoreException fileSystem(String request, String object, Exception cause) {
    return new StoreException(
        "The file system failed to " + request + " an object: " + cause,
        Where.object(object),
        "Check the directory's permissions and free space, and that its file system supports hard"
            + " links and file locks.",
        cause);
  }

  /** An object is too large to be read in one piece. */
  public static StoreException tooLarge(String object, long bytes) {
    return new StoreException(
        "An object of " + bytes + " bytes cannot be read into one array",
        Where.object(object),
        "Check whether this is the object it should be: nothing that large is read whole.",
        null);
  }

  /** A key no store accepts; refused before any request. */
  public static StoreException badKey(String key, String reason) {
    return new StoreException(
        "The key is not allowed: " + reason,
        Where.object(key.replace('\0', '?')),
        "Use keys made of parts joined by '/', none of them empty, '.' or '..'.",
        null);
  }

  /** A symbolic link stands where the key leads. */
  public static StoreException link(String key, String path) {
    return new StoreException(
        "The path '" + path + "' is a symbolic link and could lead out of the store's directory",
        Where.object(key),
        "Replace the link by a directory or file, or let the URI name the link's target.",
        null);
  }
}
