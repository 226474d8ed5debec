/**
 * Versions of nodes and edges in batches, as every reader produces them and the merge consumes
 * them. Entry class: {@link com.namidb.format.record.RecordBatch}.
 */
package com.namidb.format.record;
