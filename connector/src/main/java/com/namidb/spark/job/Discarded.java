package com.namidb.spark.job;

/**
 * What giving a stage or job up did.
 *
 * @param name name of the stage, or job id
 * @param files files that were deleted
 * @param bytes their bytes
 * @param left files that could not be deleted and stay below {@code bulk/} as orphans
 */
public record Discarded(String name, int files, long bytes, int left) {}
