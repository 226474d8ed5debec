package com.namidb.format.edge;

import com.namidb.format.id.KeyRange;

/**
 * What a descriptor must say about a written edge SST. Source: edge §8.
 *
 * @param rows rows, tombstones included
 * @param tombstones rows that are tombstones
 * @param degrees how many rows the keys have
 * @param keys first and last key
 * @param minLsn smallest LSN, unsigned
 * @param maxLsn greatest LSN, unsigned
 * @param sizeBytes object size
 * @param xxh3 XXH3 of the whole object
 */
public record EdgeSstSummary(
    long rows,
    long tombstones,
    DegreeHistogram degrees,
    KeyRange keys,
    long minLsn,
    long maxLsn,
    long sizeBytes,
    long xxh3) {}
