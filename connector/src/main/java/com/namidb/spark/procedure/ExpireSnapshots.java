package com.namidb.spark.procedure;

import com.namidb.format.retention.Sweeper;
import com.namidb.spark.options.OpenNamespace;
import java.util.function.Function;

/** {@code expire_snapshots}: old versions and the files only they need. Contract §7. */
final class ExpireSnapshots extends NamiProcedure {
  private static final String RETAIN_LAST = "retain_last";

  private final Function<String, OpenNamespace> open;

  ExpireSnapshots(Function<String, OpenNamespace> open) {
    super(
        "expire_snapshots",
        "Deletes old snapshots and the files that only they need",
        namespace(),
        SweepArguments.number(
            RETAIN_LAST, Sweeper.RETAIN_LAST, "how many of the newest snapshots stay at least"),
        SweepArguments.olderThan("every moment from this time on stays readable as well"),
        SweepArguments.dryRun(),
        SweepArguments.unsafe());
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    boolean dryRun = SweepArguments.isDryRun(arguments);
    Sweeper sweeper = SweepArguments.sweeper(open.apply(arguments.text(NAMESPACE)));
    int retainLast = arguments.number(RETAIN_LAST);
    return SweepResult.of(
        sweeper.expire(retainLast, SweepArguments.age(arguments), dryRun), dryRun);
  }
}
