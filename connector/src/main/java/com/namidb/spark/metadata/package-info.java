/**
 * Tables about a namespace instead of its rows: versions, SSTs, WAL segments, names (contract §8).
 * All are small and answered by the driver. Entry class: {@link
 * com.namidb.spark.metadata.MetadataTables}.
 */
package com.namidb.spark.metadata;
