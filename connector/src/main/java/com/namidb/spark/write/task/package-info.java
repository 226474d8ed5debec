/**
 * What runs in a task of a write, and what travels to it and back: rows are sorted, patched if they
 * are patches, and staged as candidate files (design §6, step 2). Uses {@code row} and {@code
 * quarantine}. Entry class: {@link com.namidb.spark.write.task.CandidateWriterFactory}.
 */
package com.namidb.spark.write.task;
