package com.namidb.spark.procedure;

import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.lease.PinnedVersion;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code unpin}: tables of a graph are the newest version again. Contract §4. */
final class Unpin extends NamiProcedure {
  private static final StructType COLUMNS =
      new StructType()
          .add("namespace", DataTypes.StringType, false)
          .add("was_pinned", DataTypes.BooleanType, false)
          .add("snapshot_id", DataTypes.LongType, true)
          .add("lease_id", DataTypes.StringType, true);

  private final Function<String, OpenNamespace> open;

  Unpin(Function<String, OpenNamespace> open) {
    super("unpin", "Ends this session's pin of a graph", namespace());
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    String namespace = arguments.text(NAMESPACE);
    Optional<PinnedVersion> was =
        NotebookPins.unpin(SparkSession.active(), open.apply(namespace).location());
    return new Result(
        COLUMNS,
        List.of(
            Cells.row(
                namespace,
                was.isPresent(),
                was.map(p -> p.snapshot().version()).orElse(null),
                was.map(PinnedVersion::leaseId).orElse(null))));
  }
}
