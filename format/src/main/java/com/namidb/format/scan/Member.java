package com.namidb.format.scan;

/**
 * An SST that takes part in a scan.
 *
 * @param file what a task needs to know of it
 * @param deletes whether it holds tombstones only
 * @param emits whether live records of the request may come from it; otherwise it only shadows
 * @param live upper bound of records it can contribute
 */
record Member(SliceFile file, boolean deletes, boolean emits, long live) {}
