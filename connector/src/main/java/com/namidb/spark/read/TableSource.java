package com.namidb.spark.read;

import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.Reading;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * A table as scans see it; equal if it holds the same rows in the same form, version included, so
 * that Spark never takes one version's cached or exchanged rows for another's.
 *
 * @param name for plans, such as {@code social nodes.Person @ 42}
 * @param snapshot the pinned version
 * @param targets what is read: one for nodes or an edge type, one per type for all edges
 * @param edges whether the rows are edges
 * @param schema all columns that are not hidden
 * @param reading how to read
 */
public record TableSource(
    String name,
    Snapshot snapshot,
    List<ScanRequest.Target> targets,
    boolean edges,
    StructType schema,
    Reading reading) {
  /** The same rows with other columns. */
  public TableSource with(StructType columns) {
    return new TableSource(name, snapshot, targets, edges, columns, reading);
  }

  /** The same table read in another way. */
  public TableSource with(Reading other) {
    return new TableSource(name, snapshot, targets, edges, schema, other);
  }
}
