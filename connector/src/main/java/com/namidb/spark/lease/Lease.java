package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;

/** A lease on one version, as the driver's schedule sees it. */
interface Lease {
  /** Its name among the leases of the namespace. */
  String id();

  /** Milliseconds until the next renewal is due. */
  long renewAfterMillis();

  /**
   * Renews it.
   *
   * @return false if the lease is lost for good: the version's files may be gone
   * @throws com.namidb.format.error.NamiException if the store failed but the lease still holds
   */
  boolean renew();

  /** What is told to the query once the lease is lost. */
  NamiException lost();

  /** Gives it up; never throws. */
  void release();
}
