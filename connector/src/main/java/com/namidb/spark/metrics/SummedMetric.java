package com.namidb.spark.metrics;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** A count that is added up over tasks. */
abstract class SummedMetric extends CustomSumMetric {
  private final String name;
  private final String description;

  SummedMetric(String name, String description) {
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
}
