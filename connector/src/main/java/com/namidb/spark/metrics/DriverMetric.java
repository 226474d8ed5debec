package com.namidb.spark.metrics;

import java.util.Arrays;

/** A number only the driver tells; the greatest is shown. */
abstract class DriverMetric extends NamedMetric {
  DriverMetric(String name, String description) {
    super(name, description);
  }

  @Override
  public String aggregateTaskMetrics(long[] values) {
    return Long.toString(Arrays.stream(values).max().orElse(0));
  }
}
