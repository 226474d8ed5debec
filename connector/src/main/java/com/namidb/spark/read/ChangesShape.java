package com.namidb.spark.read;

import org.apache.spark.sql.types.StructType;

/**
 * One scan of changes.
 *
 * @param source the table
 * @param columns columns to produce, hidden ones included
 * @param pushed what filters allow on the id columns
 * @param limit most rows a partition needs to produce, -1 for all
 */
record ChangesShape(ChangesSource source, StructType columns, Pushdown pushed, int limit) {}
