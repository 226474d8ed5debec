package com.namidb.spark.metrics;

/** Names of what reading tasks count. */
public final class TaskCountNames {
  /** Physical rows of the bases that were read. */
  public static final String ROWS_READ = "rowsRead";

  /** Of these, rows that a newer version in another source beats. */
  public static final String ROWS_HIDDEN_BY_NEWER = "rowsHiddenByNewer";

  /** Winners that are tombstones. */
  public static final String ROWS_HIDDEN_BY_TOMBSTONE = "rowsHiddenByTombstone";

  /** Cells that became null because the stored value does not fit. */
  public static final String VALUES_NULLED = "valuesNulled";

  /** Requests to the store. */
  public static final String STORE_REQUESTS = "storeRequests";

  /** Bytes the store sent. */
  public static final String STORE_BYTES = "storeBytes";

  private TaskCountNames() {}
}
