package com.namidb.spark.metadata;

import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/** Makes the rows of a metadata table, with all of its columns. */
@FunctionalInterface
interface RowMaker {
  /** Makes them. */
  List<InternalRow> rows(Asked asked);

  /**
   * What a query needs; a maker may give more.
   *
   * @param limit rows it needs at most, at least 1
   * @param columns columns it looks at: what fills the others need not be fetched
   */
  record Asked(int limit, Set<String> columns) {}
}
