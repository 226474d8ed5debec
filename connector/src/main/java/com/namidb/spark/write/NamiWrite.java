package com.namidb.spark.write;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.metrics.WriteMetrics;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.write.publish.CommitLog;
import com.namidb.spark.write.row.IdSource;
import com.namidb.spark.write.row.RowShape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.types.StructType;

/**
 * A planned write. Rows are distributed by ranges of their ids, so that files do not overlap, or,
 * where ids are derived, by their keys, so that equal ones meet in one task. Tasks sort by
 * themselves: Spark's order of id texts is not that of ids.
 */
final class NamiWrite implements RequiresDistributionAndOrdering {
  private final WriteOptions options;
  private final StructType schema;
  private final RowShape shape;
  private final Optional<Snapshot> planned;
  private CommitReceipt receipt;

  NamiWrite(WriteOptions options, StructType schema, RowShape shape, Optional<Snapshot> planned) {
    this.options = options;
    this.schema = schema;
    this.shape = shape;
    this.planned = planned;
  }

  @Override
  public Distribution requiredDistribution() {
    if (shape.first() instanceof IdSource.Fresh) {
      return Distributions.unspecified();
    }
    boolean derived =
        shape.first() instanceof IdSource.Derived || shape.second() instanceof IdSource.Derived;
    if (!derived) {
      List<String> ids =
          shape.edges() ? List.of(GraphColumns.SRC, GraphColumns.DST) : List.of(GraphColumns.ID);
      return Distributions.ordered(
          ids.stream()
              .map(n -> Expressions.sort(column(n), SortDirection.ASCENDING))
              .toArray(SortOrder[]::new));
    }
    return Distributions.clustered(
        java.util.stream.Stream.concat(names(shape.first()), names(shape.second()))
            .distinct()
            .map(NamiWrite::column)
            .toArray(Expression[]::new));
  }

  private static java.util.stream.Stream<String> names(IdSource source) {
    if (source instanceof IdSource.Derived d) {
      return d.keys().stream().map(IdSource.Key::name);
    }
    return source instanceof IdSource.Given g
        ? java.util.stream.Stream.of(g.name())
        : java.util.stream.Stream.empty();
  }

  /** A column by its exact name, dots and back-ticks included. */
  private static Expression column(String name) {
    return Expressions.column("`" + name.replace("`", "``") + "`");
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return new SortOrder[0];
  }

  @Override
  public BatchWrite toBatch() {
    return new NamiBatchWrite(options, schema, planned, this::committed);
  }

  private synchronized void committed(CommitReceipt r) {
    receipt = r;
  }

  @Override
  public String description() {
    return "namidb "
        + options.location().paths().namespace()
        + " "
        + options.target()
        + " "
        + options.mode().text()
        + planned.map(s -> " on " + Long.toUnsignedString(s.version())).orElse(" (new)");
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
