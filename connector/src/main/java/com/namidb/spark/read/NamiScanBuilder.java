package com.namidb.spark.read;

import com.namidb.format.scan.ScanRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/**
 * Collects what Spark pushes down. Only aggregates read here, and little: what their proof takes.
 * Contract §5.
 */
public final class NamiScanBuilder
    implements ScanBuilder,
        SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownAggregates,
        SupportsPushDownLimit {
  private final TableSource source;
  private StructType columns;
  private Pushdown pushdown;
  private Predicate[] pushed = new Predicate[0];
  private List<Predicate> left = List.of();
  private int limit = -1;

  /** The aggregation asked about last, as text, and what metadata answers. */
  private String asked;

  private Optional<AggregateScan> answered = Optional.empty();
  private boolean aggregated;

  /** Starts with the whole table. */
  public NamiScanBuilder(TableSource source) {
    this.source = source;
    this.columns = source.schema();
    this.pushdown = Pushdown.on(source.schema(), source.edges());
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    if (!source.reading().pushdown()) {
      return predicates;
    }
    Pushdown.Narrowed narrowed = pushdown.with(predicates);
    pushdown = narrowed.pushdown();
    pushed = narrowed.taken().toArray(Predicate[]::new);
    left = narrowed.left();
    return left.toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.clone();
  }

  @Override
  public boolean pushLimit(int most) {
    if (!source.reading().pushdown() || aggregated) {
      return false;
    }
    limit = most;
    return true;
  }

  /** Each partition stops by itself, so Spark still has to cut the sum. */
  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return answer(aggregation).map(s -> s.answer().isComplete()).orElse(false);
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    aggregated = answer(aggregation).isPresent();
    return aggregated;
  }

  /** Spark asks about one aggregation several times; the first answer may cost a few reads. */
  private Optional<AggregateScan> answer(Aggregation aggregation) {
    if (!source.reading().pushdown() || !left.isEmpty() || limit >= 0) {
      return Optional.empty();
    }
    String text =
        Arrays.toString(aggregation.groupByExpressions())
            + Arrays.toString(aggregation.aggregateExpressions());
    if (!text.equals(asked)) {
      asked = text;
      answered =
          AskedAggregates.of(aggregation, source)
              .flatMap(
                  a ->
                      AggregateAnswer.of(a, source, pushdown)
                          .map(found -> new AggregateScan(source, pushdown, a, found)));
    }
    return answered;
  }

  @Override
  public Scan build() {
    if (aggregated) {
      AggregateScan scan = answered.orElseThrow();
      return scan.answer().isComplete() ? scan : new CountingScan(scan);
    }
    boolean oneLabel =
        source.targets().size() == 1
            && source.targets().get(0) instanceof ScanRequest.Nodes n
            && n.label().isPresent();
    List<Predicate> filters = oneLabel ? List.copyOf(left) : List.of();
    return new NamiScan(new ScanShape(source, columns, pushdown, filters, limit));
  }
}
