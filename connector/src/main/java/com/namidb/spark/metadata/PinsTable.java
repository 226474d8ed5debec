package com.namidb.spark.metadata;

import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Pin;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code pins}: every lease in the store, expired ones included. Contract §8. */
public final class PinsTable {
  /** Columns. */
  public static final StructType SCHEMA =
      new StructType()
          .add("lease_id", DataTypes.StringType, false)
          .add("version", DataTypes.LongType, false)
          .add("expires_at", DataTypes.TimestampType, false)
          .add("owner", DataTypes.StringType, false);

  private static final long MICROS = 1_000_000;
  private static final long LAST_SECOND = Long.MAX_VALUE / MICROS;

  private PinsTable() {}

  /** The leases of a namespace. */
  public static List<InternalRow> rows(Namespace namespace) {
    List<InternalRow> out = new ArrayList<>();
    for (Pin pin : namespace.pins()) {
      // Any number can stand in a lease; a time Spark cannot show becomes the nearest it can.
      long seconds = Math.max(-LAST_SECOND, Math.min(LAST_SECOND, pin.expiresAtUnix()));
      out.add(Cells.row(pin.id(), pin.version(), seconds * MICROS, pin.owner()));
    }
    return out;
  }
}
