package com.namidb.spark.procedure;

import com.namidb.spark.job.Discarded;
import com.namidb.spark.job.Jobs;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code discard}: a stage or job is given up, its files are deleted. Contract §6. */
final class Discard extends NamiProcedure {
  private static final String STAGE = "stage";
  private static final StructType COLUMNS =
      new StructType()
          .add("namespace", DataTypes.StringType, false)
          .add("stage", DataTypes.StringType, false)
          .add("files", DataTypes.IntegerType, false)
          .add("bytes", DataTypes.LongType, false)
          .add("left", DataTypes.IntegerType, false);

  private final Function<String, OpenNamespace> open;

  Discard(Function<String, OpenNamespace> open) {
    super(
        "discard",
        "Gives a stage or job up and deletes its files",
        namespace(),
        text(STAGE, "the stage's name, or a job id"));
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    String namespace = arguments.text(NAMESPACE);
    Discarded d = Jobs.of(open.apply(namespace)).discard(arguments.text(STAGE));
    return new Result(
        COLUMNS, List.of(Cells.row(namespace, d.name(), d.files(), d.bytes(), d.left())));
  }
}
