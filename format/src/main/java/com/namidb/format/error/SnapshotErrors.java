package com.namidb.format.error;

import java.time.Duration;

/** Errors of choosing, opening and keeping a version. */
public final class SnapshotErrors {
  private static final String KEEP =
      "Read a newer version; with pin=auto a running query keeps its own version readable.";

  private SnapshotErrors() {}

  /**
   * The version was committed once but its objects are collected.
   *
   * @param oldest oldest version still readable, unsigned
   * @param current newest version, unsigned
   */
  public static SnapshotGoneException collected(
      String namespace, long version, long oldest, long current) {
    return new SnapshotGoneException(
        "Version " + u(version) + " is collected and cannot be read any more",
        Where.version(namespace, version),
        "Readable are versions " + u(oldest) + " to " + u(current) + " (the current one). " + KEEP,
        null);
  }

  /**
   * The version was given up by retention; what is left of it may vanish at any moment.
   *
   * @param floor newest version given up, unsigned
   * @param current newest version, unsigned
   */
  public static SnapshotGoneException belowFloor(
      String namespace, long version, long floor, long current) {
    return new SnapshotGoneException(
        "Version " + u(version) + " is expired and cannot be kept readable any more",
        Where.version(namespace, version),
        "Versions up to "
            + u(floor)
            + " were given up by expire_snapshots; read one from "
            + u(floor + 1)
            + " to "
            + u(current)
            + " (the current one). "
            + KEEP,
        null);
  }

  /**
   * The version was never committed.
   *
   * @param current newest version, unsigned
   * @param unfinished whether a body without a pointer is there
   */
  public static SnapshotGoneException neverCommitted(
      String namespace, long version, long current, boolean unfinished) {
    String more =
        unfinished
            ? " Its body is there without a pointer: a commit under way or one that died; any"
                + " opening by the engine settles it."
            : "";
    return new SnapshotGoneException(
        "Version " + u(version) + " was never committed",
        Where.version(namespace, version),
        "The current version is " + u(current) + "; ask for that one or an older one." + more,
        null);
  }

  /**
   * The time asked for is before everything that is still readable.
   *
   * @param asked ISO text of the time asked for
   * @param oldest oldest version still readable, unsigned
   * @param oldestTime ISO text of its commit time
   */
  public static SnapshotGoneException beforeOldest(
      String namespace, String asked, long oldest, String oldestTime) {
    return new SnapshotGoneException(
        "No readable version was committed at or before " + asked,
        new Where(namespace, null, null, null),
        "The oldest readable one is version " + u(oldest) + " of " + oldestTime + ". " + KEEP,
        null);
  }

  /** A lease expired or vanished while its version was still being read. */
  public static SnapshotGoneException leaseLost(String namespace, long version, String leaseKey) {
    return new SnapshotGoneException(
        "The lease that kept the version readable is lost",
        new Where(namespace, version, leaseKey, null),
        "Files of the version may be deleted at any moment. Run the query again; if this repeats,"
            + " check that the driver can write under manifest/pins/ and is not paused for minutes.",
        null);
  }

  /** The longest time that a session may be pinned is over. */
  public static SnapshotGoneException pinTooOld(String namespace, long version, Duration maxAge) {
    return new SnapshotGoneException(
        "The pin of this session ended after "
            + (maxAge.toMinutes() > 0
                ? maxAge.toMinutes() + " minutes"
                : maxAge.toSeconds() + " s"),
        Where.version(namespace, version),
        "Nothing is read in its place before you say so: pin again, or call unpin and read the"
            + " newest version. The longest time is set by spark.namidb.pin-max-age.",
        null);
  }

  /** An object of the version was deleted before its lease could protect it. */
  public static SnapshotGoneException notComplete(
      String namespace, long version, long current, String object) {
    return new SnapshotGoneException(
        "A file of the version is collected",
        new Where(namespace, version, object, null),
        "The current version is " + u(current) + "; read that one. " + KEEP,
        null);
  }

  /** A file is missing because the version it belongs to was collected while it was read. */
  public static SnapshotGoneException fileExpired(
      String namespace, long version, String object, Throwable cause) {
    return new SnapshotGoneException(
        "The version is expired: its files are being deleted, and one of them was missing",
        new Where(namespace, version, object, null),
        "No row of it was returned. Read the newest version. A query keeps its own version readable"
            + " with pin=auto, a session with CALL nami.system.pin.",
        cause);
  }

  /**
   * Nothing that looks like a namespace is at the location.
   *
   * @param place URI of the folder that was looked at, without a secret
   * @param missing what was asked for and is not there, as a clause
   */
  public static NamespaceNotFoundException namespaceNotFound(
      String namespace, String place, String missing) {
    return new NamespaceNotFoundException(
        "There is no namespace at '" + place + "': " + missing,
        new Where(namespace, null, null, null),
        "Check the namespace's name, the URI's path and the option 'root'"
            + (place.startsWith("s3://")
                ? "; a URI without a path means the root 'tenants'."
                : ", which is empty unless given."),
        null);
  }

  /** More versions appeared than a reader follows from an outdated hint. */
  public static StoreException staleResolution(String namespace, long version) {
    return new StoreException(
        "The newest version could not be found: the pointers run on past the listed end",
        Where.version(namespace, version),
        "Try again; if this repeats, the store's listing is far behind.",
        null);
  }

  private static String u(long number) {
    return Long.toUnsignedString(number);
  }
}
