package com.namidb.spark.metrics;

import java.util.Arrays;

/** A count that is added up over tasks. */
abstract class SummedMetric extends NamedMetric {
  SummedMetric(String name, String description) {
    super(name, description);
  }

  @Override
  public String aggregateTaskMetrics(long[] values) {
    return Long.toString(Arrays.stream(values).sum());
  }
}
