package com.namidb.spark.metadata;

import com.namidb.spark.job.Jobs;
import com.namidb.spark.job.StagedSummary;
import com.namidb.spark.options.OpenNamespace;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code staged}: stages and jobs with an id, by name. One LIST of the folders below {@code bulk/}
 * per thousand of them, one GET per folder and one per write. Contract §8.
 */
public final class StagedTable {
  /** Columns. */
  public static final StructType SCHEMA =
      new StructType()
          .add("name", DataTypes.StringType, false)
          .add("is_stage", DataTypes.BooleanType, false)
          .add("phase", DataTypes.StringType, false)
          .add("snapshot_id", DataTypes.LongType, true)
          .add("base", DataTypes.LongType, true)
          .add("writes", DataTypes.IntegerType, false)
          .add("node_rows", DataTypes.LongType, false)
          .add("edge_rows", DataTypes.LongType, false)
          .add("files", DataTypes.IntegerType, false)
          .add("bytes", DataTypes.LongType, false)
          .add("updated_at", DataTypes.TimestampType, false);

  private StagedTable() {}

  /** The stages and jobs of a namespace. */
  public static List<InternalRow> rows(OpenNamespace opened) {
    List<InternalRow> out = new ArrayList<>();
    for (StagedSummary s : Jobs.of(opened).staged()) {
      out.add(
          Cells.row(
              s.name(),
              s.isStage(),
              s.phase().name(),
              number(s.version()),
              number(s.base()),
              s.writes(),
              s.nodes(),
              s.edges(),
              s.files(),
              s.bytes(),
              ChronoUnit.MICROS.between(Instant.EPOCH, s.updated())));
    }
    return out;
  }

  private static Long number(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
