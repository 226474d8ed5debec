package com.namidb.spark.options;

import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.types.IdFormat;
import com.namidb.spark.types.OnMismatch;

/**
 * How a table is read, whatever table it is. Contract §3–5.
 *
 * @param ids how id columns look in an inferred schema
 * @param onMismatch what happens to values that do not fit their column
 * @param sample whether schema inference may look at a part of the rows only
 * @param wal what happens to rows that are only in the WAL
 * @param pin whether a lease keeps the version's files while a query runs
 * @param sizing how slices are cut
 * @param vectorized whether tasks produce column batches
 * @param pushdown whether filters and limits are pushed down at all
 */
public record Reading(
    IdFormat ids,
    OnMismatch onMismatch,
    boolean sample,
    WalPolicy wal,
    boolean pin,
    ScanRequest.Sizing sizing,
    boolean vectorized,
    boolean pushdown) {}
