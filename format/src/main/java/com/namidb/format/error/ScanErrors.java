package com.namidb.format.error;

/** Errors of reading a snapshot as a whole. */
public final class ScanErrors {
  private ScanErrors() {}

  /** The reader asked for a version without WAL rows, and this one has segments. */
  public static InvalidOptionException walNotEmpty(String namespace, long version, int segments) {
    return new InvalidOptionException(
        "The snapshot lists "
            + segments
            + " WAL segment(s), but the read demands none (wal=require-empty)",
        Where.version(namespace, version),
        "Have the engine flush the namespace, read an older version, or read with wal=replay.",
        null);
  }

  /** Changes are asked for from a later version to an earlier one. */
  public static InvalidOptionException changesBackwards(String namespace, long from, long to) {
    return new InvalidOptionException(
        "Changes are asked for from version "
            + Long.toUnsignedString(from)
            + " to version "
            + Long.toUnsignedString(to)
            + ", which is the earlier one",
        Where.version(namespace, to),
        "Exchange changes-from and changes-to.",
        null);
  }
}
