package com.namidb.spark.write;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.CommitSettings;
import com.namidb.format.commit.Footprint;
import com.namidb.format.commit.Isolation;
import com.namidb.format.commit.LsnPlan;
import com.namidb.format.commit.PublishCheck;
import com.namidb.format.commit.PublishOrder;
import com.namidb.format.commit.Publisher;
import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.Where;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.log.Committed;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.JobPlan;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.PartRules;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.validate.StagedChecks;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PublishRules;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.read.EdgeTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.types.StructType;

/** One write on the driver: plans it on a base, then checks and publishes what tasks staged. */
final class WriteJob {
  private final WriteOptions options;
  private final OpenNamespace opened;
  private final Snapshot base;
  private final RowShape shape;
  private final StagedJob job;
  private final QuarantineSpec quarantine;
  private RowChecks rowChecks;
  private WritePlan tasks;

  private WriteJob(
      WriteOptions options,
      OpenNamespace opened,
      Snapshot base,
      RowShape shape,
      QuarantineSpec quarantine) {
    this.options = options;
    this.opened = opened;
    this.base = base;
    this.shape = shape;
    this.quarantine = quarantine;
    job = NamedJobs.begin(options, opened);
  }

  /**
   * Begins a write; makes the namespace if there is none and rows are to be added.
   *
   * @param planned version the write was planned on, empty if there was no namespace
   */
  static WriteJob begin(WriteOptions options, StructType schema, Optional<Snapshot> planned) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    Snapshot base =
        planned.orElseGet(
            () -> {
              Committed first =
                  opened.namespace().log().createIfAbsent(UUID.randomUUID(), Instant.now());
              return new Snapshot(options.location(), first.ref(), first.manifest());
            });
    RowShape shape = ShapeBuilder.of(options, schema, Optional.of(base.manifest()));
    WriteJob job = new WriteJob(options, opened, base, shape, aside(options, schema, shape, base));
    job.plan();
    if (options.mode().readsGraph() || options.rules().removal().detach()) {
      QueryLeases.read(base, opened).planned();
    }
    return job;
  }

  private static QuarantineSpec aside(
      WriteOptions options, StructType rows, RowShape shape, Snapshot base) {
    if (!(options.job() instanceof JobName.None)) {
      String folder = NamedJobs.quarantine(options, shape.scope());
      return QuarantineSpec.inTasks(options.quarantine(), rows, folder);
    }
    boolean unique = !shape.edges() && !UniqueRule.of(base.manifest().schema()).isEmpty();
    return QuarantineSpec.of(options.quarantine(), rows, shape, unique && !shape.deletes());
  }

  private Where where() {
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
    List<String> fresh = names ? List.of(shape.scope()) : List.of();
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
  WritePlan forTasks() {
    if (tasks == null) {
      tasks = planTasks();
    }
    return tasks;
  }

  private WritePlan planTasks() {
    return new WritePlan(
        opened.location().store(),
        opened.location().paths(),
        job.id(),
        job.plan().orElseThrow(),
        shape,
        base.manifest().schema(),
        options.rules().fileBytes(),
        shape.patches() ? PatchBase.plan(base, shape, opened.store()) : null,
        quarantine);
  }

  private Removals removals() {
    return new Removals(forTasks(), options.rules(), base, opened.store());
  }

  /** Deletes what tasks staged; only if publishing never began. */
  void discard(List<TaskReport> reports) {
    for (TaskReport m : reports) {
      StagedObjects.delete(opened.store(), opened.location().paths(), m.files());
      StagedObjects.deleteRows(opened.store(), opened.location().paths(), m.quarantine(), m.kept());
    }
  }

  /**
   * Publishes everything in one commit.
   *
   * @return empty if there was nothing to write or remove: then nothing is committed
   */
  Optional<CommitReceipt> publish(List<TaskReport> reports) {
    Staged staged = gather(reports);
    List<CandidateFile> files = staged.files();
    if (files.isEmpty() || !quarantine.keep()) {
      expect(files);
    }
    List<CandidateFile> removed = removals().stage(files);
    job.addPart(staged.part(PartRules.BLIND));
    rowChecks =
        new RowChecks(
            RowChecks.plan(forTasks()), options.quarantine(), opened.store(), staged.kept());
    if (files.isEmpty() && removed.isEmpty()) {
      return nothingLeft();
    }
    if (!removed.isEmpty()) {
      // Nobody gave these rows: they are no part of what was read and accepted.
      job.addPart(removed, Balance.EMPTY);
    }
    CommitSettings s = CommitSettings.standard();
    CommitSettings settings =
        new CommitSettings(
            options.rules().retries(),
            s.backoff(),
            s.rewriteLimit(),
            s.clock(),
            s.random(),
            s.sleeper(),
            s.probe());
    Path temp = temp();
    try {
      CommitReceipt receipt =
          new Publisher(opened.namespace(), settings)
              .publish(job, job.target(opened.store(), temp), order());
      outcome().tell(Optional.of(receipt.version()));
      return Optional.of(receipt);
    } catch (NothingLeftException e) {
      expect(List.of());
      return nothingLeft();
    } finally {
      drop(temp);
    }
  }

  /**
   * Keeps everything as one part of a named job, with what must hold when it is published.
   *
   * @return the job
   */
  StagedJob stage(List<TaskReport> reports) {
    Staged staged = gather(reports);
    expect(staged.files());
    job.addPart(staged.part(NamedJobs.rules(shape.mode(), options.rules(), base.ref())));
    String folder = opened.location().paths().bulk(job.id()) + quarantine.folder() + "/";
    CommitLog.staged(
        options,
        job.id(),
        staged.balance(),
        staged.quarantine(),
        opened.location().store() + "/" + folder);
    return job;
  }

  /** What all tasks staged, added up. */
  private record Staged(
      List<CandidateFile> files,
      Balance balance,
      QuarantineReport quarantine,
      List<KeptRows.File> kept) {
    StagedPart part(PartRules rules) {
      return new StagedPart(files, balance, rules, quarantine);
    }
  }

  private Staged gather(List<TaskReport> reports) {
    List<CandidateFile> files = new ArrayList<>();
    List<KeptRows.File> kept = new ArrayList<>();
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
    return new Staged(files, balance, aside, kept);
  }

  /** No row was accepted: nothing is committed, but what was set aside is told. */
  private Optional<CommitReceipt> nothingLeft() {
    if (!job.balance().holds()) {
      throw CommitErrors.invalid(
          where(), List.of("rows are missing or counted twice: " + job.balance()));
    }
    outcome().tell(Optional.empty());
    return Optional.empty();
  }

  private QuarantineOutcome outcome() {
    return new QuarantineOutcome(opened.location(), opened.store(), job, rowChecks.leftovers());
  }

  private void expect(List<CandidateFile> files) {
    SstKind kind = shape.edges() ? SstKind.EDGES_FWD : SstKind.NODES;
    KeyDigest digest =
        files.stream()
            .filter(f -> f.sst().kind() == kind)
            .map(CandidateFile::digest)
            .reduce(KeyDigest.EMPTY, KeyDigest::plus);
    PublishRules rules = options.rules();
    if (rules.expectedRows() >= 0 && rules.expectedRows() != digest.count()) {
      throw WriteErrors.notAsExpected(
          where(), "expected-rows", Long.toString(rules.expectedRows()), digest.count() + " rows");
    }
    if (!rules.expectedChecksum().isEmpty() && !rules.expectedChecksum().equals(digest.text())) {
      throw WriteErrors.notAsExpected(
          where(), "expected-key-checksum", rules.expectedChecksum(), digest.text());
    }
  }

  private PublishOrder order() {
    PublishRules rules = options.rules();
    StagedChecks checks =
        new StagedChecks(
            opened.store(), opened.location().paths(), new SparkProbes(opened.location().store()));
    List<PublishCheck> list = new ArrayList<>();
    list.add(rowChecks);
    list.add(checks.distinct());
    if (quarantine.keep()) {
      list.add(
          (at, staged) -> {
            expect(staged.candidates());
            return List.of();
          });
    }
    if (shape.mode() == WriteMode.INSERT) {
      list.add(checks.insert());
    }
    if (shape.mode() == WriteMode.OVERWRITE && !shape.edges() && !shape.scope().isEmpty()) {
      list.add(checks.labelled(shape.scope()));
    }
    // The row checks have just looked for the ends where edges may be set aside.
    if (rules.checkEnds() && !options.quarantine().dangling()) {
      list.add(checks.ends());
    }
    if (rules.checkIncident()) {
      list.add(checks.noEdges((at, store) -> EdgeTypes.all(at, WalPolicy.REPLAY, store)));
    }
    list.addAll(removals().checks());
    // An insert finds out on every base anew whether its ids are there: no other change matters.
    boolean blind = shape.mode() == WriteMode.INSERT && rules.isolation() == Isolation.SNAPSHOT;
    Footprint footprint =
        shape.edges()
            ? new Footprint(false, Optional.of(Set.of(shape.scope())))
            : rules.removal().detach() ? Footprint.ALL : new Footprint(true, Optional.of(Set.of()));
    return new PublishOrder(
        blind ? null : base,
        rules.isolation(),
        footprint,
        list,
        checks.winners(),
        rules.retireSearch());
  }

  private static Path temp() {
    try {
      return Files.createTempDirectory("namidb-publish");
    } catch (IOException e) {
      throw StoreErrors.failed("make a temporary directory", null, e);
    }
  }

  private static void drop(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // The commit is what counts; an empty directory harms nobody.
      folder.toFile().deleteOnExit();
    }
  }
}
