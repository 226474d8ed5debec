/**
 * Rows that are set aside: which ones, the Parquet files they go to, and the original rows of
 * accepted ones, kept for checks that come later (contract §6). Uses {@code row}. Entry class:
 * {@link com.namidb.spark.write.quarantine.QuarantineSpec}.
 */
package com.namidb.spark.write.quarantine;
