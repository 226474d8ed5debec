/**
 * Writing nodes and edges: tasks stage sorted candidate files, the driver checks and publishes them
 * in one commit (contract §6, design §6). Here is what Spark calls for a DataFrame write; the rest
 * is in the packages below, each of which uses only those after it: {@code delta}, {@code publish},
 * {@code check} and {@code removal}, {@code task}, {@code quarantine}, {@code row}. Nothing below
 * uses this package. Entry class: {@link com.namidb.spark.write.NamiWriteBuilder}.
 */
package com.namidb.spark.write;
