package com.namidb.spark.read;

import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/**
 * Collects what Spark pushes down to a scan of changes. A filter on ids keeps or drops all records
 * of a key, so it may come before the comparison; every other one is tested on its result.
 */
public final class ChangesScanBuilder
    implements ScanBuilder,
        SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownLimit {
  private final ChangesSource source;
  private StructType columns;
  private Pushdown pushdown;
  private Predicate[] pushed = new Predicate[0];
  private int limit = -1;

  /** Starts with the whole table. */
  public ChangesScanBuilder(ChangesSource source) {
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
    return narrowed.left().toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.clone();
  }

  @Override
  public boolean pushLimit(int most) {
    if (!source.reading().pushdown()) {
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
  public Scan build() {
    return new ChangesScan(new ChangesShape(source, columns, pushdown, limit));
  }
}
