package com.namidb.spark.metrics;

import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * One count of one task, added up by the {@code CustomMetric} of the same name.
 *
 * @param name one of {@link TaskCountNames}
 * @param value the count so far
 */
public record TaskCount(String name, long value) implements CustomTaskMetric {}
