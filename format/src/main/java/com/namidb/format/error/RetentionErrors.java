package com.namidb.format.error;

import java.time.Instant;

/** Errors of collecting old versions and files. Protocol §7. */
public final class RetentionErrors {
  private RetentionErrors() {}

  /** A time in the future would mean that what is written now may go. */
  public static InvalidOptionException future(long asked, long now) {
    return new InvalidOptionException(
        "older_than is "
            + Instant.ofEpochMilli(asked)
            + ", after the store's time "
            + Instant.ofEpochMilli(now),
        Where.UNKNOWN,
        "Nothing was deleted. Give a time in the past.",
        null);
  }

  /** No version would be left. */
  public static InvalidOptionException retainLast(int given) {
    return new InvalidOptionException(
        "retain_last is " + given,
        Where.UNKNOWN,
        "Nothing was deleted. Keep at least 1 version, the current one.",
        null);
  }

  /**
   * A version that must stay cannot be read.
   *
   * @param version unsigned
   */
  public static StoreException changed(String namespace, long version) {
    return new StoreException(
        "A version that stays could not be read while its files were looked up",
        Where.version(namespace, version),
        "Nothing was deleted. Another sweep may be under way: try again. If this repeats, the history"
            + " has a hole; look at the table 'snapshots'.",
        null);
  }

  /**
   * A listing lacks an object that is there.
   *
   * @param object its key
   */
  public static StoreException listingLags(String namespace, String object) {
    return new StoreException(
        "The store's listing leaves out an object that is there",
        new Where(namespace, null, object, null),
        "Nothing was deleted: what is kept cannot be told from such a listing. Try again later.",
        null);
  }

  /** The version floor says nothing that can be understood. */
  public static CorruptObjectException floor(String object, Throwable cause) {
    return new CorruptObjectException(
        "The version floor is damaged: it does not name the newest version that was given up",
        Where.object(object),
        "Commits and sweeps that need it stop. Restore the object, or write it anew: see"
            + " docs/operations.md, bulk/floor.json.",
        cause);
  }

  /**
   * A deletion failed midway.
   *
   * @param done objects deleted before
   * @param all objects planned
   */
  public static StoreException interrupted(
      String namespace, String object, int done, int all, NamiException cause) {
    return new StoreException(
        "A deletion failed after " + done + " of " + all + " objects",
        new Where(namespace, null, object, null),
        "Every version that stays is whole. Run the same call again to finish.",
        cause);
  }

  /** The store kept an object that it was asked to delete. */
  public static StoreException refused(
      String namespace, String object, int done, int all, String reason) {
    return new StoreException(
        "A deletion failed after " + done + " of " + all + " objects: " + reason,
        new Where(namespace, null, object, null),
        "Every version that stays is whole. Run the same call again to finish.",
        null);
  }

  /** The clock of the store could not be read. */
  public static StoreException noTime(String object, String cause) {
    return new StoreException(
        "The store's time could not be found out: " + cause,
        Where.object(object),
        "Nothing was deleted. Check that objects can be written under bulk/.",
        null);
  }
}
