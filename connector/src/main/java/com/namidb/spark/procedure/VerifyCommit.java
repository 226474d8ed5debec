package com.namidb.spark.procedure;

import com.namidb.format.commit.Verdict;
import com.namidb.spark.job.Jobs;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code verify_commit}: whether a job or stage took effect. Contract §6, protocol §5. */
final class VerifyCommit extends NamiProcedure {
  private static final String JOB = "job_id";
  private static final StructType COLUMNS =
      new StructType()
          .add("namespace", DataTypes.StringType, false)
          .add("job_id", DataTypes.StringType, false)
          .add("outcome", DataTypes.StringType, false)
          .add("snapshot_id", DataTypes.LongType, true)
          .add("reason", DataTypes.StringType, true);

  private final Function<String, OpenNamespace> open;

  VerifyCommit(Function<String, OpenNamespace> open) {
    super(
        "verify_commit",
        "Tells whether a job or stage took effect",
        namespace(),
        text(JOB, "job id, name of a stage, or the random id that a write's error tells"));
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    String namespace = arguments.text(NAMESPACE);
    String job = arguments.text(JOB);
    return new Result(
        COLUMNS, List.of(row(namespace, job, Jobs.of(open.apply(namespace)).verifyCommit(job))));
  }

  private static InternalRow row(String namespace, String job, Verdict verdict) {
    if (verdict instanceof Verdict.CommittedAt at) {
      return Cells.row(namespace, job, "committed", at.version(), null);
    }
    return verdict instanceof Verdict.NotCommitted no
        ? Cells.row(namespace, job, "not committed", null, no.reason())
        : Cells.row(namespace, job, "unknown", null, ((Verdict.Undecided) verdict).reason());
  }
}
