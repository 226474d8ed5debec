package com.namidb.format.commit;

import com.namidb.format.commit.PublishPreview.Check;
import com.namidb.format.commit.PublishPreview.Outcome;
import com.namidb.format.error.CommitConflictException;
import com.namidb.format.error.ValidationFailedException;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.JobPlan;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.wal.WalReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Goes through a publication without writing anything: GET, HEAD and the checks' reads only. */
public final class DryRun {
  private final Namespace namespace;
  private final NamespacePaths paths;
  private final ObjectStore store;

  /** Makes no request. */
  public DryRun(Namespace namespace, ObjectStore store) {
    this.namespace = namespace;
    this.paths = namespace.location().paths();
    this.store = store;
  }

  /**
   * Looks at what publishing would do.
   *
   * @param job a preview of one
   * @param retireSearch whether nodes may be added beside search indexes
   * @param onBase checks by name
   * @param onTop checks that need the job's rows to be above the base, by name
   */
  public PublishPreview run(
      StagedJob job,
      boolean retireSearch,
      Map<String, PublishCheck> onBase,
      Map<String, PublishCheck> onTop) {
    Committed current = namespace.log().current();
    Manifest base = current.manifest();
    Snapshot snapshot = new Snapshot(namespace.location(), current.ref(), base);
    List<CandidateFile> files = job.candidates();
    Where where = new Where(paths.namespace(), base.version(), null, job.id());
    List<Check> checks = new ArrayList<>();
    checks.add(
        result(
            "every staged file is there as it was written",
            () -> {
              new CandidateCheck(job.target(store, null)).check(where, base, files);
              return List.of();
            }));
    List<String> retired = retired(base, files);
    if (!retired.isEmpty()) {
      List<String> problems = retireSearch ? List.of() : retired;
      checks.add(result("search indexes may be retired", () -> problems));
    }
    onBase.forEach((name, c) -> checks.add(result(name, () -> c.problems(snapshot, job))));
    boolean above = files.stream().allMatch(f -> LsnPlan.isAbove(f.sst().lsns().min(), base));
    LabelPlan labels =
        LabelPlan.of(base.labels(), job.plan().map(JobPlan::labels).orElse(base.labels()), files);
    onTop.forEach(
        (name, c) ->
            checks.add(
                above
                    ? result(name, () -> c.problems(snapshot, job))
                    : new Check(
                        name, Outcome.NOT_RUN, List.of("the files must be rewritten before"))));
    List<String> names = labels.dictionary().names();
    return new PublishPreview(
        job.id(),
        base.version(),
        base.version() + 1,
        files,
        job.balance(),
        base.walSegments().size(),
        names.subList(base.labels().size(), names.size()),
        retired,
        above && labels.fits() ? 0 : files.stream().mapToLong(f -> f.sst().sizeBytes()).sum(),
        checks);
  }

  private static Check result(String name, Supplier<List<String>> check) {
    List<String> found;
    try {
      found = check.get();
    } catch (ValidationFailedException | CommitConflictException e) {
      found = List.of(e.getMessage());
    }
    return new Check(name, found.isEmpty() ? Outcome.PASSED : Outcome.BROKEN, found);
  }

  /** Node rows, also those folded out of the WAL, retire every search generation (R5). */
  private List<String> retired(Manifest base, List<CandidateFile> files) {
    if (base.searchIndexes().isEmpty() && !base.hasSearchStates()) {
      return List.of();
    }
    boolean nodes = files.stream().anyMatch(f -> f.sst().kind() == SstKind.NODES);
    if (!nodes && !base.walSegments().isEmpty()) {
      List<WalReplay.Segment> segments = new ArrayList<>();
      base.walSegments()
          .forEach(
              s ->
                  segments.add(
                      new WalReplay.Segment(paths.wal(s.seq()), s.seq(), s.lastLsn(), s.xxh3())));
      nodes = WalReplay.of(store, segments).nodeCount() > 0;
    }
    if (!nodes) {
      return List.of();
    }
    return base.searchIndexes().isEmpty()
        ? List.of("search states without an index")
        : base.searchIndexes();
  }
}
