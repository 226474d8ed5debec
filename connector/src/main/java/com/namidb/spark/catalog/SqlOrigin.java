package com.namidb.spark.catalog;

import org.apache.spark.sql.catalyst.trees.CurrentOrigin;

/**
 * Whether Spark loads a table for a SQL statement or for a DataFrame. The columns of an INSERT are
 * matched with the table's, by position or by name; a DataFrame may bring new ones. Spark asks for
 * the table in the same way for both, but keeps the text it came from.
 */
final class SqlOrigin {
  private SqlOrigin() {}

  static boolean isSql() {
    return CurrentOrigin.get().sqlText().isDefined();
  }
}
