package com.namidb.spark.metrics;

/** How long planning took. */
public final class PlanningMillisMetric extends DriverMetric {
  /** For Spark, which makes it by its name. */
  public PlanningMillisMetric() {
    super("planningMillis", "planning time in ms");
  }
}
