package com.namidb.format.commit;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestEdit;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.JobPlan;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The version that would follow a base with a job's rows in it: whether it may be, files that fit
 * the base, and its manifest. Publishes nothing. Source: protocol §3, §4; manifest §4.7.
 */
final class NextVersion {
  private final Namespace namespace;
  private final ManifestLog log;
  private final NamespacePaths paths;
  private final CommitSettings settings;
  private final FileRewriter rewriter;
  private final StageTarget target;
  private final PublishOrder order;
  private final WalFold fold;

  /**
   * Makes no request. Keeps what is folded of a WAL for the next base.
   *
   * @param target where the job's files are, and where further ones go
   */
  NextVersion(
      Namespace namespace,
      CommitSettings settings,
      FileRewriter rewriter,
      StageTarget target,
      PublishOrder order) {
    this.namespace = namespace;
    this.log = namespace.log();
    this.paths = namespace.location().paths();
    this.settings = settings;
    this.rewriter = rewriter;
    this.target = target;
    this.order = order;
    fold = new WalFold(target);
  }

  /**
   * What is to be published.
   *
   * @param next the manifest
   * @param added every file it has more than its base
   * @param files those of the job
   * @param folded those made of the base's WAL
   */
  record Prepared(
      Manifest next, List<NewSst> added, List<CandidateFile> files, List<CandidateFile> folded) {}

  /**
   * Prepares it on a base.
   *
   * @param job sealed; its files may be written again here
   * @throws com.namidb.format.error.ValidationFailedException if a check fails
   * @throws com.namidb.format.error.CommitConflictException if the job cannot be published on it
   */
  Prepared prepare(Committed base, StagedJob job) {
    long version = base.ref().version();
    Where where = new Where(paths.namespace(), version, null, job.id());
    Snapshot snapshot = new Snapshot(namespace.location(), base.ref(), base.manifest());
    Manifest manifest = base.manifest();
    if (!job.balance().holds()) {
      throw CommitErrors.invalid(where, List.of(BrokenRule.LOST.by("") + ": " + job.balance()));
    }
    new Conflicts(log, paths, target.store()).check(where, order, snapshot, job.candidates());
    // Checks may look at the base with the job's rows on top, so these must be above it first.
    LabelPlan labels = fit(where, base, job);
    List<String> problems = new ArrayList<>();
    order.checks().forEach(check -> problems.addAll(check.problems(snapshot, job)));
    if (!problems.isEmpty()) {
      throw job.isStage()
          ? CommitErrors.invalidStage(where, problems)
          : CommitErrors.invalid(where, problems);
    }
    List<CandidateFile> files = job.candidates();
    checkAge(where, job);
    new CandidateCheck(target).check(where, manifest, files);
    List<CandidateFile> folded = manifest.walSegments().isEmpty() ? List.of() : fold.of(manifest);
    List<NewSst> added = new ArrayList<>();
    folded.forEach(f -> added.add(f.sst()));
    files.forEach(f -> added.add(f.sst()));
    boolean nodes = added.stream().anyMatch(s -> s.kind() == SstKind.NODES);
    ManifestEdit edit =
        ManifestEdit.of(manifest).add(added).labels(labels.dictionary().names()).job(job.id());
    edit.clearWal();
    if (nodes) {
      retireSearch(where, manifest, edit);
    }
    Instant now = Instant.ofEpochMilli(settings.clock().millis());
    Manifest next = edit.build(UUID.randomUUID(), now, log.key(version + 1));
    return new Prepared(next, added, files, folded);
  }

  /** No state protects the files of such a job: after a day they may be collected as orphans. */
  private void checkAge(Where where, StagedJob job) {
    long age = settings.clock().millis() - job.beganMillis();
    if (!job.isNamed() && age > Publisher.UNNAMED.toMillis()) {
      throw CommitErrors.tooOld(where, Publisher.UNNAMED);
    }
  }

  private void retireSearch(Where where, Manifest base, ManifestEdit edit) {
    List<String> indexes = base.searchIndexes();
    if (!order.retireSearch() && (!indexes.isEmpty() || base.hasSearchStates())) {
      throw CommitErrors.searchIndexes(where, indexes);
    }
    edit.retireSearch();
  }

  /** Makes the files fit the base: LSNs above it, label ids with the same names. */
  private LabelPlan fit(Where where, Committed on, StagedJob job) {
    Manifest base = on.manifest();
    JobPlan plan =
        job.plan().orElseThrow(() -> new IllegalStateException("the job was never planned"));
    List<CandidateFile> files = job.candidates();
    LabelPlan labels = LabelPlan.of(base.labels(), plan.labels(), files);
    boolean above = files.stream().allMatch(f -> LsnPlan.isAbove(f.sst().lsns().min(), base));
    if (above && labels.fits()) {
      return labels;
    }
    long bytes = files.stream().mapToLong(f -> f.sst().sizeBytes()).sum();
    if (bytes > settings.rewriteLimit()) {
      throw CommitErrors.overtaken(where, bytes, settings.rewriteLimit());
    }
    long lsn = plan.lsn();
    if (!above) {
      lsn = LsnPlan.choose(where, base, LsnPlan.WRITE_GAP, settings.random());
    }
    LabelPlan fresh = labels.fits() ? labels : new LabelPlan(labels.dictionary(), true);
    RewriteOrder rewrite = new RewriteOrder(base.schema(), fresh.dictionary(), lsn);
    List<StagedPart> rewritten =
        job.parts().stream().map(p -> p.in(rewriter.rewrite(target, p.files(), rewrite))).toList();
    job.rewritten(rewritten, new JobPlan(on.ref().version(), lsn, fresh.dictionary()));
    return fresh;
  }
}
