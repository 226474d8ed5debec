/**
 * Writing for DELETE, UPDATE and MERGE: deleted, updated and inserted rows are three parts of one
 * job, in files of their own (contract §6). Uses {@code publish}, {@code task} and {@code row}; the
 * package of DataFrame writes above it and this one do not know each other. Entry class: {@link
 * com.namidb.spark.write.delta.NamiDeltaWriteBuilder}.
 */
package com.namidb.spark.write.delta;
