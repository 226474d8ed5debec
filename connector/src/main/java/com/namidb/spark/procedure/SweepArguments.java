package com.namidb.spark.procedure;

import com.namidb.format.commit.CommitSettings;
import com.namidb.format.retention.SweepAge;
import com.namidb.format.retention.Sweeper;
import com.namidb.spark.options.OpenNamespace;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;

/** What all sweeping procedures take. */
final class SweepArguments {
  private static final String OLDER_THAN = "older_than";
  private static final String DRY_RUN = "dry_run";
  private static final String UNSAFE = "allow_unsafe_age";

  private SweepArguments() {}

  static ProcedureParameter olderThan(String comment) {
    return NamiProcedure.optional(OLDER_THAN, DataTypes.TimestampType, comment);
  }

  static ProcedureParameter dryRun() {
    return ProcedureParameter.in(DRY_RUN, DataTypes.BooleanType)
        .defaultValue("true")
        .comment("only tell what would be deleted; this is the default")
        .build();
  }

  static ProcedureParameter unsafe() {
    return NamiProcedure.flag(
        UNSAFE,
        "delete also what is younger than 24 hours: only while nobody at all uses the graph");
  }

  static ProcedureParameter number(String name, int standard, String comment) {
    return ProcedureParameter.in(name, DataTypes.IntegerType)
        .defaultValue(Integer.toString(standard))
        .comment(comment)
        .build();
  }

  static SweepAge age(Arguments arguments) {
    OptionalLong micros = arguments.time(OLDER_THAN);
    return new SweepAge(
        micros.isPresent()
            ? OptionalLong.of(Math.floorDiv(micros.getAsLong(), 1000L))
            : OptionalLong.empty(),
        arguments.flag(UNSAFE));
  }

  /** Only a plain "no" deletes anything. */
  static boolean isDryRun(Arguments arguments) {
    return arguments.flag(DRY_RUN);
  }

  static Sweeper sweeper(OpenNamespace opened) {
    return new Sweeper(opened.namespace(), opened.store(), CommitSettings.standard());
  }
}
