package com.namidb.spark.read;

import com.namidb.format.record.Column;
import com.namidb.spark.types.GraphColumns;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * One scan of a table: which columns, which keys, how many rows.
 *
 * @param source the table
 * @param columns columns to produce, hidden ones included
 * @param pushed what filters allow on the id columns
 * @param filters what Spark tests later and descriptors may decide for whole SSTs: part of a scan's
 *     equality, because it may leave out rows
 * @param limit most rows a partition needs to produce, -1 for all
 */
record ScanShape(
    TableSource source, StructType columns, Pushdown pushed, List<Predicate> filters, int limit) {
  /** What slices have to fill in for these columns. */
  Set<Column> recordColumns() {
    Set<Column> out = EnumSet.noneOf(Column.class);
    for (StructField f : columns.fields()) {
      switch (f.name()) {
        case GraphColumns.ID, GraphColumns.SRC, GraphColumns.DST -> out.add(Column.KEY);
        case GraphColumns.LABELS -> out.add(Column.LABELS);
        case GraphColumns.LSN -> out.add(Column.LSN);
        case GraphColumns.TYPE, GraphColumns.SST, GraphColumns.LEVEL, GraphColumns.SNAPSHOT_ID -> {
          // Known without looking at any row.
        }
        default -> out.add(Column.PAYLOAD);
      }
    }
    return out;
  }
}
