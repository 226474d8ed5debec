package com.namidb.spark.metadata;

import com.namidb.spark.options.OpenNamespace;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** {@code pins}. */
final class PinsTable {
  static final StructType SCHEMA = new StructType();

  private PinsTable() {}

  static List<InternalRow> rows(OpenNamespace opened) {
    throw new IllegalStateException("not built yet: " + opened);
  }
}
