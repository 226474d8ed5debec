/**
 * Options of a read as immutable records: option before Spark conf before default, nothing unknown
 * passes (contract §2–5). Never shipped to tasks. Entry class: {@link
 * com.namidb.spark.options.ReadOptions}.
 */
package com.namidb.spark.options;
