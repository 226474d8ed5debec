package com.namidb.format.merge;

import com.namidb.format.record.RecordCursor;

/**
 * One input of a merge.
 *
 * @param cursor its records
 * @param rank who wins a tie of LSNs: 0 for the WAL, then 1 + position in the manifest; lower wins
 */
public record Source(RecordCursor cursor, int rank) {}
