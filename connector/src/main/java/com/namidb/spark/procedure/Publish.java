package com.namidb.spark.procedure;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.PublishPreview;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.stage.CandidateFile;
import com.namidb.spark.job.Jobs;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.write.WritesUnderPin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code publish}: one commit of everything in a stage, or what it would be. Contract §6. */
final class Publish extends NamiProcedure {
  private static final String STAGE = "stage";
  private static final String DRY_RUN = "dry_run";
  private static final String REWRITE = "rewrite";
  private static final long MICROS = 1_000;

  private static final StructType RECEIPT =
      new StructType()
          .add("namespace", DataTypes.StringType, false)
          .add("stage", DataTypes.StringType, false)
          .add("snapshot_before", DataTypes.LongType, false)
          .add("snapshot_id", DataTypes.LongType, false)
          .add("committed_at", DataTypes.TimestampType, false)
          .add("node_rows", DataTypes.LongType, false)
          .add("edge_rows", DataTypes.LongType, false)
          .add("deleted_nodes", DataTypes.LongType, false)
          .add("deleted_edges", DataTypes.LongType, false)
          .add("quarantined_rows", DataTypes.LongType, false)
          .add("files", DataTypes.IntegerType, false)
          .add("bytes", DataTypes.LongType, false)
          .add("attempts", DataTypes.IntegerType, false)
          .add("warnings", DataTypes.createArrayType(DataTypes.StringType, false), false);

  private static final StructType DIFF =
      new StructType()
          .add("change", DataTypes.StringType, false)
          .add("object", DataTypes.StringType, false)
          .add("kind", DataTypes.StringType, true)
          .add("scope", DataTypes.StringType, true)
          .add("row_count", DataTypes.LongType, true)
          .add("tombstones", DataTypes.LongType, true)
          .add("bytes", DataTypes.LongType, true)
          .add("detail", DataTypes.StringType, true);

  private final Function<String, OpenNamespace> open;

  Publish(Function<String, OpenNamespace> open) {
    super(
        "publish",
        "Checks all writes of a stage together and publishes them in one commit",
        namespace(),
        text(STAGE, "the stage's name, or a job id"),
        flag(DRY_RUN, "only show what the commit would change and what the checks say"),
        flag(REWRITE, "write files above 1 GiB again if other commits overtook them"));
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    OpenNamespace opened = open.apply(arguments.text(NAMESPACE));
    String stage = arguments.text(STAGE);
    Jobs jobs = Jobs.of(opened);
    return arguments.flag(DRY_RUN)
        ? new Result(DIFF, diff(jobs.dryRun(stage)))
        : new Result(
            RECEIPT, List.of(receipt(opened, stage, jobs.publish(stage, arguments.flag(REWRITE)))));
  }

  private static InternalRow receipt(OpenNamespace opened, String stage, CommitReceipt r) {
    List<String> warnings = new ArrayList<>(r.warnings());
    WritesUnderPin.warn(opened.location()).ifPresent(warnings::add);
    return Cells.row(
        opened.location().paths().namespace(),
        stage,
        r.base(),
        r.version(),
        r.committedMillis() * MICROS,
        r.nodes().count(),
        r.edges().count(),
        r.deletedNodes(),
        r.deletedEdges(),
        r.balance().quarantined(),
        r.files().size(),
        r.bytes(),
        r.attempts(),
        warnings);
  }

  private static List<InternalRow> diff(PublishPreview p) {
    List<InternalRow> out = new ArrayList<>();
    String versions = Long.toUnsignedString(p.base()) + " -> " + Long.toUnsignedString(p.version());
    out.add(Cells.row("version", p.job(), null, null, null, null, null, versions));
    for (CandidateFile file : p.files()) {
      NewSst sst = file.sst();
      out.add(
          Cells.row(
              "add",
              sst.path(),
              NewSst.kindText(sst.kind()),
              sst.scope().isEmpty() ? null : sst.scope(),
              sst.counts().rows(),
              sst.counts().tombstones(),
              sst.sizeBytes(),
              "keys " + sst.keys().min() + " to " + sst.keys().max()));
    }
    if (p.walSegments() > 0) {
      out.add(named("fold", "wal", p.walSegments() + " segments become SSTs"));
    }
    p.labels().forEach(label -> out.add(named("label", label, "gets an id")));
    p.retired().forEach(index -> out.add(named("retire", index, "search index")));
    if (p.rewriteBytes() > 0) {
      out.add(
          Cells.row(
              "rewrite",
              "files",
              null,
              null,
              null,
              null,
              p.rewriteBytes(),
              "other commits overtook"));
    }
    for (PublishPreview.Check check : p.checks()) {
      String found = check.findings().isEmpty() ? "" : ": " + String.join("; ", check.findings());
      out.add(named("check", check.name(), word(check.outcome()) + found));
    }
    return out;
  }

  private static String word(PublishPreview.Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static InternalRow named(String change, String object, String detail) {
    return Cells.row(change, object, null, null, null, null, null, detail);
  }
}
