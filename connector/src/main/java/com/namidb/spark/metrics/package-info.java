/**
 * What tasks and the driver count, and how Spark shows it (contract §5). Entry class: {@link
 * com.namidb.spark.metrics.TaskCount}.
 */
package com.namidb.spark.metrics;
