package com.namidb.spark.write.row;

import com.namidb.format.id.EdgeKey;
import com.namidb.format.id.NodeId;
import org.apache.spark.sql.catalyst.InternalRow;

/** Reads the ids by which a statement names rows that exist. Not thread-safe. */
final class RowIds {
  private final IdReader first;
  private final IdReader second;

  RowIds(RowShape shape) {
    first = new IdReader(shape.first());
    second = shape.edges() ? new IdReader(shape.second()) : null;
  }

  /** The key; nodes have {@link NodeId#MIN} as their second id. */
  EdgeKey read(InternalRow id) {
    return new EdgeKey(first.read(id), second == null ? NodeId.MIN : second.read(id));
  }
}
