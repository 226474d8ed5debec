package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import java.io.Serializable;

/**
 * What a descriptor must say about a written node SST. Source: node §12.
 *
 * @param rows number of rows, tombstones included
 * @param tombstones how many of them are tombstones
 * @param keys first and last id
 * @param minLsn smallest LSN, unsigned
 * @param maxLsn greatest LSN, unsigned
 * @param minSchemaVersion smallest schema version, unsigned
 * @param maxSchemaVersion greatest schema version, unsigned
 * @param sizeBytes length of the file
 * @param xxh3 hash of the whole file
 */
public record NodeSstSummary(
    long rows,
    long tombstones,
    KeyRange keys,
    long minLsn,
    long maxLsn,
    long minSchemaVersion,
    long maxSchemaVersion,
    long sizeBytes,
    long xxh3)
    implements Serializable {}
