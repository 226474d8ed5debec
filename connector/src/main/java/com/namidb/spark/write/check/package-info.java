/**
 * Checks that read, as Spark jobs over sorted bytes: rows that are twice, dangling or not unique
 * are named or set aside on every base a commit is tried on; the deep check of a version (protocol
 * §3, contract §7). Uses {@code row}, {@code quarantine} and {@code task}. Entry classes: {@link
 * com.namidb.spark.write.check.RowChecks}, {@link com.namidb.spark.write.check.GraphAudit}.
 */
package com.namidb.spark.write.check;
