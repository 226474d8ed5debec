package com.namidb.spark.metrics;

import java.util.Arrays;
import org.apache.spark.sql.connector.metric.CustomMetric;

/** A number only the driver tells; the greatest is shown. */
abstract class DriverMetric implements CustomMetric {
  private final String name;
  private final String description;

  DriverMetric(String name, String description) {
    this.name = name;
    this.description = description;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public String aggregateTaskMetrics(long[] values) {
    return Long.toString(Arrays.stream(values).max().orElse(0));
  }
}
