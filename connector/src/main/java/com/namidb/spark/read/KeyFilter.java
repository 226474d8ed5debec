package com.namidb.spark.read;

import com.namidb.format.id.KeyRanges;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructType;

/**
 * Rows of a table by their ids alone.
 *
 * @param keys allowed node ids, or source ids
 * @param partners allowed destination ids; all for nodes
 */
public record KeyFilter(KeyRanges keys, KeyRanges partners) {
  /** Every row. */
  public static final KeyFilter ALL = new KeyFilter(KeyRanges.ALL, KeyRanges.ALL);

  /** The rows for which all predicates are true; empty if ids alone do not tell. */
  public static Optional<KeyFilter> of(StructType schema, boolean edges, Predicate[] predicates) {
    Pushdown pushdown = Pushdown.on(schema, edges);
    for (Predicate p : predicates) {
      Optional<Pushdown> narrowed = pushdown.with(p);
      if (narrowed.isEmpty()) {
        return Optional.empty();
      }
      pushdown = narrowed.get();
    }
    return Optional.of(new KeyFilter(pushdown.keys(), pushdown.partners()));
  }
}
