/**
 * Scans: push-down, planning on the driver, reading slices into rows or column vectors in tasks.
 * Entry class: {@code NamiScanBuilder}.
 */
package com.namidb.spark.read;
