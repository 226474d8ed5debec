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
}
