/**
 * Leases that keep a version's files readable while a query runs (contract §4, protocol §8). Entry
 * class: {@link com.namidb.spark.lease.QueryLeases}.
 */
package com.namidb.spark.lease;
