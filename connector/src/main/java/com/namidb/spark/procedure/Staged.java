package com.namidb.spark.procedure;

import com.namidb.spark.metadata.StagedTable;
import com.namidb.spark.options.OpenNamespace;
import java.util.function.Function;

/** {@code staged}: stages and jobs with an id; the rows of the table {@code staged}. */
final class Staged extends NamiProcedure {
  private final Function<String, OpenNamespace> open;

  Staged(Function<String, OpenNamespace> open) {
    super("staged", "Lists stages and jobs with an id", namespace());
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    return new Result(StagedTable.SCHEMA, StagedTable.rows(open.apply(arguments.text(NAMESPACE))));
  }
}
