package com.namidb.spark.metrics;

import org.apache.spark.sql.connector.metric.CustomMetric;

/** A number under a name, with what Spark's UI shows for it. */
abstract class NamedMetric implements CustomMetric {
  private final String name;
  private final String description;

  NamedMetric(String name, String description) {
    this.name = name;
    this.description = description;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }
}
