package com.namidb.format.retention;

import com.namidb.format.store.ObjectMeta;

/**
 * An object to be deleted.
 *
 * @param kind what it is
 * @param object as it was listed
 * @param version newest version that named it, -1 if none is known to
 * @param reason why it goes
 */
public record Doomed(Kind kind, ObjectMeta object, long version, String reason) {
  /** Of no known version. */
  public static final long NO_VERSION = -1;

  /** Whether it says what others are there for, and goes only after them. */
  boolean isRecord() {
    return kind == Kind.MANIFEST || object.key().endsWith("/" + JobFolder.STATE);
  }

  /** What an object is. */
  public enum Kind {
    /** Body or sidecar of an SST. */
    FILE,
    /** WAL segment. */
    WAL,
    /** Body, pointer or archive of a manifest version. */
    MANIFEST,
    /** Lease that ended long ago. */
    LEASE,
    /** State, report, receipt or set-aside rows of a job. */
    JOB
  }
}
