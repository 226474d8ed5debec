package com.namidb.spark.metadata;

import com.namidb.format.manifest.WalSegment;
import com.namidb.format.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code wal}: the segments a version lists, ascending. Contract §8. */
final class WalTable {
  static final StructType SCHEMA =
      new StructType()
          .add("seq", Unsigned.TYPE, false)
          .add("last_lsn", Unsigned.TYPE, false)
          .add("xxh3", DataTypes.StringType, true)
          .add("path", DataTypes.StringType, false);

  private WalTable() {}

  static List<InternalRow> rows(Snapshot snapshot) {
    List<InternalRow> out = new ArrayList<>();
    for (WalSegment s : snapshot.manifest().walSegments()) {
      out.add(
          Cells.row(
              Unsigned.of(s.seq()),
              Unsigned.of(s.lastLsn()),
              s.xxh3Text(),
              snapshot.location().paths().wal(s.seq())));
    }
    return out;
  }
}
