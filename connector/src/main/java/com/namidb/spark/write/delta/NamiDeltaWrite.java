package com.namidb.spark.write.delta;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.spark.metrics.WriteMetrics;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.write.publish.CommitLog;
import java.util.List;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;

/**
 * A planned DELETE, UPDATE or MERGE. Rows are distributed by ranges of their ids, so that files do
 * not overlap; tasks sort by themselves.
 */
final class NamiDeltaWrite implements DeltaWrite, RequiresDistributionAndOrdering {
  private final Statement statement;
  private final DeltaShapes shapes;
  private CommitReceipt receipt;

  NamiDeltaWrite(Statement statement, DeltaShapes shapes) {
    this.statement = statement;
    this.shapes = shapes;
  }

  @Override
  public Distribution requiredDistribution() {
    List<String> ids =
        shapes.deletes().shape().edges()
            ? List.of(GraphColumns.SRC, GraphColumns.DST)
            : List.of(GraphColumns.ID);
    return Distributions.ordered(
        ids.stream()
            .map(n -> Expressions.sort(Expressions.column(n), SortDirection.ASCENDING))
            .toArray(SortOrder[]::new));
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return new SortOrder[0];
  }

  @Override
  public DeltaBatchWrite toBatch() {
    return new NamiDeltaBatchWrite(statement, shapes, this::committed);
  }

  private synchronized void committed(CommitReceipt r) {
    receipt = r;
  }

  @Override
  public String description() {
    return "namidb "
        + statement.base().location().paths().namespace()
        + " "
        + statement.target()
        + " "
        + statement.text()
        + " on "
        + Long.toUnsignedString(statement.base().version());
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return WriteMetrics.all();
  }

  @Override
  public synchronized CustomTaskMetric[] reportDriverMetrics() {
    return CommitLog.metrics(receipt);
  }

  @Override
  public String toString() {
    return description();
  }
}
