package com.namidb.spark.write.delta;

import com.namidb.format.error.WriteErrors;
import com.namidb.format.manifest.Manifest;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.write.row.RowShape;
import com.namidb.spark.write.row.ShapeBuilder;
import java.util.Optional;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.types.StructType;

/**
 * The three kinds of rows of a statement: their rules and what their columns mean, looked at before
 * any task runs.
 */
record DeltaShapes(Part deletes, Optional<Part> updates, Optional<Part> inserts, Rows rows) {
  /** One kind. */
  record Part(WriteOptions options, RowShape shape) {}

  /**
   * Whole rows.
   *
   * @param schema their columns, none if the statement only deletes
   * @param json position of the stored object among the metadata columns, −1 without
   */
  record Rows(StructType schema, int json) {}

  /**
   * Checks the columns.
   *
   * @throws com.namidb.format.error.InvalidOptionException if they cannot be stored
   */
  static DeltaShapes of(Statement statement, LogicalWriteInfo info) {
    Optional<Manifest> base = Optional.of(statement.base().manifest());
    StructType ids = info.rowIdSchema().orElseThrow();
    StructType metadata = info.metadataSchema().orElseGet(StructType::new);
    StructType rows = info.schema();
    WriteOptions delete = statement.options(WriteMode.DELETE);
    Part deletes = new Part(delete, ShapeBuilder.of(delete, ids, base));
    if (rows.isEmpty()) {
      return new DeltaShapes(deletes, Optional.empty(), Optional.empty(), new Rows(rows, -1));
    }
    // An update leaves a node in the table or takes it out, and adds no edge.
    WriteOptions update = statement.anyLabel(WriteMode.PATCH);
    Part updates = new Part(update, ShapeBuilder.of(update.as(WriteMode.UPSERT), rows, base));
    if (!updates.shape().edges() && updates.shape().labels() < 0) {
      throw WriteErrors.badWrite(
          "The columns the table is read with lack '_labels', which updated nodes keep",
          "Add _labels ARRAY<STRING> to the schema, or read without one.");
    }
    WriteOptions insert = statement.options(WriteMode.INSERT);
    Part inserts = new Part(insert, ShapeBuilder.of(insert, rows, base));
    int json = metadata.fieldIndex(GraphColumns.JSON);
    return new DeltaShapes(
        deletes, Optional.of(updates), Optional.of(inserts), new Rows(rows, json));
  }
}
