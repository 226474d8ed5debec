package com.namidb.spark.procedure;

import com.namidb.spark.options.OpenNamespace;
import java.util.function.Function;

/** {@code remove_orphan_files}: files that no version names. Contract §7. */
final class RemoveOrphanFiles extends NamiProcedure {
  private final Function<String, OpenNamespace> open;

  RemoveOrphanFiles(Function<String, OpenNamespace> open) {
    super(
        "remove_orphan_files",
        "Deletes files that no snapshot names and no job may still publish",
        namespace(),
        SweepArguments.olderThan("only files written before this time; three days ago by default"),
        SweepArguments.dryRun(),
        SweepArguments.unsafe());
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    boolean dryRun = SweepArguments.isDryRun(arguments);
    return SweepResult.of(
        SweepArguments.sweeper(open.apply(arguments.text(NAMESPACE)))
            .removeOrphans(SweepArguments.age(arguments), dryRun),
        dryRun);
  }
}
