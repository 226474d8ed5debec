package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import java.util.Map;

/**
 * One row group of the footer.
 *
 * @param rows number of rows
 * @param bytes stored bytes of all columns
 * @param keys first and last id; {@code null} if the statistics do not tell
 * @param live whether the statistics prove that no row is a tombstone
 * @param chunks by column path, dotted
 */
record GroupMeta(
    long rows, long bytes, KeyRange keys, boolean live, Map<String, ChunkMeta> chunks) {}
