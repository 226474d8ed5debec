package com.namidb.spark.write.publish;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.LsnPlan;
import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.JobPlan;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ProvenStores;
import com.namidb.format.validate.PartChecks;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.read.KeyFilter;
import com.namidb.spark.write.check.UniqueRule;
import com.namidb.spark.write.quarantine.QuarantineSpec;
import com.namidb.spark.write.removal.Removals;
import com.namidb.spark.write.row.RowShape;
import com.namidb.spark.write.row.ShapeBuilder;
import com.namidb.spark.write.task.PatchBase;
import com.namidb.spark.write.task.StagedObjects;
import com.namidb.spark.write.task.TaskReport;
import com.namidb.spark.write.task.WritePlan;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.types.StructType;

/** One write on the driver: plans it on a base, then makes what tasks staged a part of its job. */
public final class WriteJob {
  private final WriteOptions options;
  private final OpenNamespace opened;
  private final Snapshot base;
  private final RowShape shape;
  private final StagedJob job;
  private final QuarantineSpec quarantine;
  private WritePlan tasks;

  private WriteJob(
      WriteOptions options, OpenNamespace opened, Snapshot base, RowShape shape, Work work) {
    this.options = options;
    this.opened = opened;
    this.base = base;
    this.shape = shape;
    quarantine = work.quarantine();
    job = work.job();
  }

  /**
   * What its rows go through.
   *
   * @param job it stages into
   * @param quarantine what happens to rows that are set aside
   */
  private record Work(StagedJob job, QuarantineSpec quarantine) {}

  /**
   * Begins a write; makes the namespace if there is none and rows are to be added.
   *
   * @param planned version the write was planned on, empty if there was no namespace
   */
  public static WriteJob begin(
      WriteOptions options, StructType schema, Optional<Snapshot> planned) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    // Before anything is staged or a namespace is made.
    ProvenStores.require(
        options.location().store(), opened.store(), options.location().paths().bulk());
    Snapshot base =
        planned.orElseGet(
            () -> {
              Committed first =
                  opened.namespace().log().createIfAbsent(UUID.randomUUID(), Instant.now());
              return new Snapshot(options.location(), first.ref(), first.manifest());
            });
    RowShape shape = ShapeBuilder.of(options, schema, Optional.of(base.manifest()));
    Work work = new Work(NamedJobs.begin(options, opened), aside(options, schema, shape, base));
    WriteJob job = new WriteJob(options, opened, base, shape, work);
    job.plan();
    if (options.mode().readsGraph() || options.rules().removal().detach()) {
      QueryLeases.read(base, opened).planned();
    }
    return job;
  }

  /** One of several kinds of rows that one statement writes: they share the job. */
  public static WriteJob sharing(
      StagedJob job, WriteOptions options, Snapshot base, RowShape shape) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    WriteJob out = new WriteJob(options, opened, base, shape, new Work(job, QuarantineSpec.OFF));
    out.plan();
    return out;
  }

  private static QuarantineSpec aside(
      WriteOptions options, StructType rows, RowShape shape, Snapshot base) {
    if (options.job() instanceof JobName.Stage) {
      String folder = NamedJobs.quarantine(options, shape.scope());
      return QuarantineSpec.inTasks(options.quarantine(), rows, folder);
    }
    boolean unique = !shape.edges() && !UniqueRule.of(base.manifest().schema()).isEmpty();
    return QuarantineSpec.of(options.quarantine(), rows, shape, unique && !shape.deletes());
  }

  /** Names it in errors and logs. */
  public Where where() {
    return new Where(opened.location().paths().namespace(), base.version(), null, job.id());
  }

  private void plan() {
    Manifest manifest = base.manifest();
    boolean search = !manifest.searchIndexes().isEmpty() || manifest.hasSearchStates();
    if (!shape.edges() && search && !options.rules().retireSearch()) {
      throw CommitErrors.searchIndexes(where(), manifest.searchIndexes());
    }
    boolean names = !shape.edges() && !shape.deletes() && !shape.scope().isEmpty();
    LabelDictionary known = shape.patches() ? PatchBase.names(base) : manifest.labels();
    List<String> fresh = new ArrayList<>(shape.patches() ? known.names() : List.of());
    if (names) {
      fresh.add(shape.scope());
    }
    LabelDictionary labels = known.extended(fresh);
    long gap = options.job() instanceof JobName.Stage ? LsnPlan.STAGE_GAP : LsnPlan.WRITE_GAP;
    long lsn = LsnPlan.choose(where(), manifest, gap, new SecureRandom());
    // Writes that share a stage share its LSN and its label table.
    job.plan(
        plan ->
            plan == null
                ? new JobPlan(base.version(), lsn, labels)
                : new JobPlan(plan.baseVersion(), plan.lsn(), plan.labels().extended(fresh)));
  }

  /** What tasks need. */
  public WritePlan forTasks() {
    if (tasks == null) {
      tasks = planTasks();
    }
    return tasks;
  }

  private WritePlan planTasks() {
    JobPlan plan = job.plan().orElseThrow();
    return new WritePlan(
        opened.location().store(),
        opened.location().paths(),
        job.id(),
        plan,
        shape,
        base.manifest().schema(),
        options.rules().fileBytes(),
        shape.patches() ? PatchBase.plan(base, shape, plan.labels(), opened.store()) : null,
        quarantine);
  }

  /** Deletes what tasks staged; only if publishing never began. */
  public void discard(List<TaskReport> reports) {
    for (TaskReport m : reports) {
      StagedObjects.delete(opened.store(), opened.location().paths(), m.files());
      StagedObjects.deleteRows(opened.store(), opened.location().paths(), m.quarantine(), m.kept());
    }
  }

  /**
   * Publishes everything in one commit.
   *
   * @return empty if there was nothing to write or remove: then nothing is committed, unless the
   *     job has a name, whose next run must find a receipt
   */
  public Optional<CommitReceipt> publish(List<TaskReport> reports) {
    stage(reports);
    return publish();
  }

  /** Takes the filter's rows out of a table, and publishes that in one commit. */
  public Optional<CommitReceipt> remove(KeyFilter filter) {
    stage(List.of(), filter);
    return publish();
  }

  /** Publishes what is staged of the job. */
  public Optional<CommitReceipt> publish() {
    return new JobPublishing(opened, options.rules().retries(), false)
        .publish(job, Optional.of(base));
  }

  /** Keeps everything as one part of the job, with what must hold when it is published. */
  public void stage(List<TaskReport> reports) {
    stage(reports, KeyFilter.ALL);
  }

  private void stage(List<TaskReport> reports, KeyFilter filter) {
    StagedPart given = given(reports);
    if (given.files().isEmpty() || !quarantine.keep()) {
      expect(given);
    }
    List<CandidateFile> files = new ArrayList<>(given.files());
    files.addAll(
        new Removals(forTasks(), options.rules(), base, opened.store(), filter).stage(files));
    job.addPart(given.in(files));
    if (options.job() instanceof JobName.Stage) {
      String folder = opened.location().paths().bulk(job.id()) + quarantine.folder() + "/";
      CommitLog.staged(
          options,
          job.id(),
          given.balance(),
          given.quarantine(),
          opened.location().store() + "/" + folder);
    }
  }

  /** What all tasks staged, added up. */
  private StagedPart given(List<TaskReport> reports) {
    List<CandidateFile> files = new ArrayList<>();
    List<KeptFile> kept = new ArrayList<>();
    Balance balance = Balance.EMPTY;
    QuarantineReport aside = QuarantineReport.EMPTY;
    List<String> problems = new ArrayList<>();
    for (TaskReport m : reports) {
      files.addAll(m.files());
      kept.addAll(m.kept());
      balance = balance.plus(m.balance());
      aside = aside.plus(m.quarantine());
      m.problem().ifPresent(problems::add);
    }
    if (!problems.isEmpty()) {
      throw CommitErrors.invalid(where(), problems);
    }
    return new StagedPart(
        files,
        balance,
        NamedJobs.rules(options, shape, base.ref()),
        aside,
        quarantine.rules(options.quarantine(), kept));
  }

  private void expect(StagedPart given) {
    List<String> problems = PartChecks.unexpected(given);
    if (!problems.isEmpty()) {
      throw CommitErrors.invalid(where(), problems);
    }
  }
}
