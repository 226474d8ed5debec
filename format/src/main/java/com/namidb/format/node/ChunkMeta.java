package com.namidb.format.node;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Where one column of one row group lies.
 *
 * @param column path, type and levels
 * @param codec how its pages are compressed
 * @param offset first byte, dictionary page included
 * @param size stored bytes, page headers included
 * @param values number of values, nulls included
 */
record ChunkMeta(
    ColumnDescriptor column, CompressionCodecName codec, long offset, long size, long values) {}
