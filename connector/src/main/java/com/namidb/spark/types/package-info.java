/**
 * How stored values and names become Spark types and columns, and back (values §6, contract §3).
 * Entry class: {@link com.namidb.spark.types.SchemaInference}.
 */
package com.namidb.spark.types;
