/**
 * Tombstones nobody gave rows for: what an overwritten table held, edges of deleted nodes (contract
 * §6). Spark jobs over keys. Uses {@code row} and {@code task}. Entry class: {@link
 * com.namidb.spark.write.removal.Removals}.
 */
package com.namidb.spark.write.removal;
