package com.namidb.spark.metrics;

/** Physical rows read. */
public final class RowsReadMetric extends SummedMetric {
  /** For Spark, which makes it by its name. */
  public RowsReadMetric() {
    super("rowsRead", "rows read from SSTs and WAL");
  }
}
