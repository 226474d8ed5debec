package com.namidb.spark.procedure;

import com.namidb.format.error.ReadErrors;
import com.namidb.format.retention.Sweeper;
import com.namidb.spark.options.OpenNamespace;
import java.time.Duration;
import java.util.function.Function;

/** {@code clean_staging}: jobs that are over, or were never finished. Contract §7. */
final class CleanStaging extends NamiProcedure {
  private static final String NAME = "clean_staging";
  private static final String KEEP = "keep_published_days";
  private static final int STANDARD = (int) Sweeper.KEEP_PUBLISHED.toDays();

  private final Function<String, OpenNamespace> open;

  CleanStaging(Function<String, OpenNamespace> open) {
    super(
        NAME,
        "Gives up jobs that were never published, and deletes what jobs left that are over",
        namespace(),
        SweepArguments.olderThan("only jobs last touched before this time; seven days by default"),
        SweepArguments.dryRun(),
        SweepArguments.number(
            KEEP, STANDARD, "days that states and receipts of published jobs are kept"),
        SweepArguments.unsafe());
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    boolean dryRun = SweepArguments.isDryRun(arguments);
    int days = arguments.number(KEEP);
    if (days < 0) {
      throw ReadErrors.badArgument(NAME, KEEP, "is " + days, "Give it a number of days.");
    }
    return SweepResult.of(
        SweepArguments.sweeper(open.apply(arguments.text(NAMESPACE)))
            .cleanStaging(SweepArguments.age(arguments), Duration.ofDays(days), dryRun),
        dryRun);
  }
}
