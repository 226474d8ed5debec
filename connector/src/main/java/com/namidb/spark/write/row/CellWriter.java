package com.namidb.spark.write.row;

import com.namidb.format.value.ValueAppender;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Writes the value of a cell that is not null. */
@FunctionalInterface
interface CellWriter {
  /** Writes the cell at a position of a row, array or struct. */
  void write(SpecializedGetters from, int at, ValueAppender to);
}
