package com.namidb.spark.read;

import com.namidb.format.scan.DiffSlice;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * One key range of the changes as a Spark partition.
 *
 * @param slice what to compare
 * @param edgeType its edge type, {@code null} for nodes
 */
record ChangesPartition(DiffSlice slice, String edgeType) implements InputPartition {}
