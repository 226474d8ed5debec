package com.namidb.spark.types;

import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import org.apache.spark.sql.types.StructType;

/**
 * Finds the properties of a table and their Spark types by looking at every live row. Contract §3.
 */
public final class SchemaInference {
  private SchemaInference() {}

  /**
   * The property columns of a target in contract order, without our own columns.
   *
   * @param target nodes or edges of one type; cached per snapshot, target and policy
   * @param sample look at a part of the rows only
   */
  public static StructType properties(
      Snapshot snapshot, ScanRequest.Target target, WalPolicy wal, boolean sample) {
    throw new IllegalStateException("not built yet: " + snapshot + target + wal + sample);
  }
}
