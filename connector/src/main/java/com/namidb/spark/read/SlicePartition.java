package com.namidb.spark.read;

import com.namidb.format.scan.ScanSlice;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * One slice as a Spark partition.
 *
 * @param slice what to read
 * @param edgeType its edge type, {@code null} for nodes
 */
public record SlicePartition(ScanSlice slice, String edgeType) implements InputPartition {}
