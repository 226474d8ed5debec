package com.namidb.format.error;

import java.util.UUID;

/** Errors of stored objects: missing, damaged, unknown format. */
public final class FileErrors {
  private static final String RESTORE =
      "No row of it was returned. Restore the object or read a version that does not list it.";

  private FileErrors() {}

  /**
   * The bytes contradict the format.
   *
   * @param kind what the object is, e.g. {@code "Edge SST"}
   * @param detail what is wrong with it, e.g. {@code "page 3 of PARTNERS has hash 9a…, expected
   *     17…"}
   */
  public static CorruptObjectException damaged(String kind, String object, String detail) {
    return damaged(kind, object, detail, null);
  }

  /** The bytes contradict the format, as another library found out. */
  public static CorruptObjectException damaged(
      String kind, String object, String detail, Throwable cause) {
    return new CorruptObjectException(
        kind + " is damaged: " + detail, Where.object(object), RESTORE, cause);
  }

  /** A listed object is not in the store. */
  public static CorruptObjectException missing(String kind, String object) {
    return new CorruptObjectException(
        kind + " is listed by the manifest but not in the store",
        Where.object(object),
        RESTORE,
        null);
  }

  /**
   * The path of an SST or of its id filter names nothing.
   *
   * @param sst id of the SST
   * @param path the path as the manifest has it
   */
  public static CorruptObjectException namesNothing(UUID sst, String path) {
    return new CorruptObjectException(
        "The manifest is damaged: the path '" + path + "' of SST " + sst + " names no object",
        Where.UNKNOWN,
        "No row of it was returned. Restore the manifest or read another version.",
        null);
  }

  /** The object is of a format generation this connector does not read. */
  public static UnsupportedFormatException unsupported(String kind, String object, String detail) {
    return new UnsupportedFormatException(
        kind + " has a format this connector does not read: " + detail,
        Where.object(object),
        "Use a connector release that knows this format, or have the engine rewrite the object.",
        null);
  }
}
