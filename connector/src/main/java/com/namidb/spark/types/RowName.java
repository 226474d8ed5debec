package com.namidb.spark.types;

import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;

/** A record as error messages name it: "node 018f…" or "edge 018f… -[KNOWS]-> 018f…". */
public final class RowName {
  private RowName() {}

  /**
   * The name of a record.
   *
   * @param batch a batch with keys
   * @param edgeType its edge type, {@code null} for nodes
   */
  public static String of(RecordBatch batch, int row, String edgeType) {
    NodeId key = new NodeId(batch.keyHi()[row], batch.keyLo()[row]);
    if (!batch.edges()) {
      return "node " + key;
    }
    NodeId partner = new NodeId(batch.partnerHi()[row], batch.partnerLo()[row]);
    return "edge " + key + " -[" + edgeType + "]-> " + partner;
  }
}
