package com.namidb.spark.job;

/**
 * What giving a stage or job up did.
 *
 * @param name name of the stage, or job id
 * @param files files that were deleted
 * @param bytes their bytes
 * @param left files that could not be deleted, or that a driver asleep in the middle of its commit
 *     may still need; they stay below {@code bulk/} for {@code clean_staging}
 */
public record Discarded(String name, int files, long bytes, int left) {}
