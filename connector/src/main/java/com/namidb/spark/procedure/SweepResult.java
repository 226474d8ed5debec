package com.namidb.spark.procedure;

import com.namidb.format.retention.Doomed;
import com.namidb.format.retention.SweepPlan;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.procedure.NamiProcedure.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The rows of what a sweep deletes: the sum, what a person should know, each object. */
final class SweepResult {
  private static final StructType COLUMNS =
      new StructType()
          .add("action", DataTypes.StringType, false)
          .add("kind", DataTypes.StringType, true)
          .add("object", DataTypes.StringType, true)
          .add("snapshot_id", DataTypes.LongType, true)
          .add("objects", DataTypes.LongType, false)
          .add("bytes", DataTypes.LongType, false)
          .add("detail", DataTypes.StringType, true);

  private SweepResult() {}

  static Result of(SweepPlan plan, boolean dryRun) {
    String action = dryRun ? "would delete" : "deleted";
    List<InternalRow> out = new ArrayList<>();
    Long horizon = plan.horizon().isPresent() ? plan.horizon().getAsLong() : null;
    out.add(
        Cells.row(
            action,
            "total",
            null,
            horizon,
            (long) plan.doomed().size(),
            plan.bytes(),
            horizon == null ? null : "the oldest snapshot that stays"));
    for (String note : plan.notes()) {
      out.add(Cells.row("note", null, null, null, 0L, 0L, note));
    }
    for (Doomed d : plan.doomed()) {
      out.add(
          Cells.row(
              action,
              d.kind().name().toLowerCase(Locale.ROOT),
              d.object().key(),
              d.version() == Doomed.NO_VERSION ? null : d.version(),
              1L,
              d.object().size(),
              d.reason()));
    }
    return new Result(COLUMNS, out);
  }
}
