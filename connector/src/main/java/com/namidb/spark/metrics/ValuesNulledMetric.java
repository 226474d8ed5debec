package com.namidb.spark.metrics;

/** Cells that became null because the stored value does not fit its column. */
public final class ValuesNulledMetric extends SummedMetric {
  /** For Spark, which makes it by its name. */
  public ValuesNulledMetric() {
    super("valuesNulled", "values that did not fit and became null");
  }
}
