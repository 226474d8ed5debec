package com.namidb.spark.catalog;

import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import scala.Option;

/**
 * Whether Spark loads a table for a SQL statement or for a DataFrame. The columns of an INSERT are
 * matched with the table's, by position or by name; a DataFrame may bring new ones. Spark asks for
 * the table in the same way for both, but keeps the text it came from.
 */
final class SqlOrigin {
  private static final Pattern TRIES =
      Pattern.compile(
          "\\s*UNCACHE\\s+TABLE\\s+IF\\s+EXISTS\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private SqlOrigin() {}

  static boolean isSql() {
    return CurrentOrigin.get().sqlText().isDefined();
  }

  /** Whether it is a statement that goes on without the table. */
  static boolean isOnlyTried() {
    Option<String> text = CurrentOrigin.get().sqlText();
    return text.isDefined() && TRIES.matcher(text.get()).matches();
  }
}
