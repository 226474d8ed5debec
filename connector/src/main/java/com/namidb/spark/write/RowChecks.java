package com.namidb.spark.write;

import com.namidb.format.commit.PublishCheck;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.validate.StagedChecks;
import com.namidb.spark.options.QuarantineRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.types.StructType;

/**
 * The checks of staged rows on the version to be committed on that may set rows aside: the rows go
 * to quarantine files and the candidates are written again without them. Runs anew on every base;
 * what is set aside stays so. Without quarantine the rows are named, and the publication fails.
 */
final class RowChecks implements PublishCheck {
  /** Setting a row aside may give its old value back to a node of the base, and so on. */
  private static final int ROUNDS = 10;

  private final SetAsidePlan plan;
  private final QuarantineRules rules;
  private final ObjectStore store;
  private final StoreJobs jobs;
  private final Map<KeyDigest, String> kept = new HashMap<>();
  private final List<String> twice = new ArrayList<>();
  private final List<CandidateFile> replaced = new ArrayList<>();

  /**
   * Prepares the checks.
   *
   * @param plan without candidates
   * @param store for planning; stays owned by the caller
   * @param files original rows that tasks kept
   */
  RowChecks(
      SetAsidePlan plan, QuarantineRules rules, ObjectStore store, List<KeptRows.File> files) {
    this.plan = plan;
    this.rules = rules;
    this.store = store;
    jobs = new StoreJobs(plan.store());
    for (KeptRows.File file : files) {
      if (file.digest().equals(KeyDigest.EMPTY)) {
        twice.add(file.path());
      } else {
        kept.put(file.digest(), file.path());
      }
    }
  }

  @Override
  public List<String> problems(Snapshot base, StagedJob job) {
    StagedChecks checks = new StagedChecks(store, plan.paths(), (pieces, limit) -> List.of());
    if (rules.invalid() && !kept.isEmpty()) {
      setTwiceAside(base, job);
    }
    if (rules.dangling()) {
      apply(job, staged -> dangling(checks, base, job.candidates(), staged));
    }
    List<String> problems = unique(base, job);
    if (problems.isEmpty() && job.candidates().isEmpty()) {
      throw new NothingLeftException();
    }
    return problems;
  }

  /**
   * Candidates that were replaced, and objects with kept rows: nobody needs them after a commit.
   */
  List<String> leftovers() {
    Set<String> out = new HashSet<>(kept.values());
    out.addAll(twice);
    replaced.forEach(f -> out.add(f.sst().path()));
    return out.stream().map(plan.paths()::object).toList();
  }

  private void setTwiceAside(Snapshot base, StagedJob job) {
    StagedChecks checks = new StagedChecks(store, plan.paths(), new SparkProbes(plan.store()));
    if (!twice.isEmpty() || !checks.distinct().problems(base, job).isEmpty()) {
      List<String> aside = twice.stream().map(plan.paths()::object).toList();
      apply(
          job,
          staged -> {
            JavaRDD<byte[]> keys = jobs.keys(plan.paths(), staged);
            JavaRDD<byte[]> all = aside.isEmpty() ? keys : keys.union(jobs.kept(aside));
            return TwiceRejects.find(all, jobs.tasks(staged.size() + aside.size()));
          });
    }
  }

  private JavaRDD<byte[]> dangling(
      StagedChecks checks, Snapshot base, List<CandidateFile> files, List<CandidateFile> staged) {
    Map<UUID, CandidateFile> byId =
        files.stream().collect(Collectors.toMap(f -> f.sst().id(), Function.identity()));
    List<StoreJobs.DanglingPiece> pieces = new ArrayList<>();
    for (int i = 0; i < staged.size(); i++) {
      CandidateFile forward = staged.get(i);
      if (forward.sst().kind() == SstKind.EDGES_FWD && !isRemoval(forward)) {
        CandidateFile inverse = byId.get(forward.partner());
        pieces.add(new StoreJobs.DanglingPiece(checks.dangling(base, forward, inverse), i));
      }
    }
    return jobs.dangling(pieces);
  }

  private List<String> unique(Snapshot base, StagedJob job) {
    UniqueRejects unique = new UniqueRejects(jobs, plan.paths(), store);
    for (int round = 0; round < ROUNDS; round++) {
      List<CandidateFile> nodes = UniqueCheck.nodes(job);
      List<UniqueRule> broken = UniqueRejects.rules(base, nodes);
      if (broken.isEmpty()) {
        return List.of();
      }
      // A constraint may be younger than the plan of the job: then no row was kept.
      boolean aside =
          rules.invalid()
              && nodes.stream().allMatch(f -> isRemoval(f) || kept.containsKey(f.digest()));
      if (!aside) {
        return new UniqueCheck(jobs, plan.paths(), store).problems(base, job);
      }
      if (apply(job, staged -> unique.find(base, staged, broken)) == 0) {
        return List.of();
      }
    }
    return List.of(
        "setting aside nodes whose values are not unique did not come to an end: each gives its"
            + " old value back to the graph, where another node of the job wants it; correct the"
            + " rows, or write them in smaller jobs");
  }

  /** Candidates whose rows are looked at: the inverse files follow the forward ones. */
  private static List<CandidateFile> staged(StagedJob job) {
    return job.candidates().stream().filter(f -> f.sst().kind() != SstKind.EDGES_INV).toList();
  }

  /** Deletions of rows that nobody gave, as an overwrite adds them, or of given ids. */
  private static boolean isRemoval(CandidateFile f) {
    return f.sst().counts().tombstones() == f.sst().counts().rows();
  }

  /** Sets rejected rows aside; returns how many. */
  private long apply(StagedJob job, Function<List<CandidateFile>, JavaRDD<byte[]>> find) {
    List<CandidateFile> staged = staged(job);
    if (staged.isEmpty()) {
      return 0;
    }
    List<SetAsidePlan.Item> items =
        staged.stream().map(f -> new SetAsidePlan.Item(f, kept.get(f.digest()))).toList();
    List<SetAsideTask.Outcome> outcomes = jobs.setAside(plan.of(items), find.apply(staged));
    if (outcomes.isEmpty()) {
      return 0;
    }
    Map<Integer, SetAsideTask.Outcome> byItem =
        outcomes.stream().collect(Collectors.toMap(SetAsideTask.Outcome::item, o -> o));
    List<CandidateFile> files = new ArrayList<>();
    QuarantineReport report = QuarantineReport.EMPTY;
    long rows = 0;
    for (int i = 0; i < staged.size(); i++) {
      SetAsideTask.Outcome outcome = byItem.get(i);
      if (outcome == null) {
        files.add(staged.get(i));
        continue;
      }
      follow(staged.get(i), outcome);
      files.addAll(outcome.files());
      report = report.plus(outcome.quarantine());
      rows += outcome.removed().count();
    }
    for (CandidateFile f : job.candidates()) {
      // The other direction of an edge file stays or goes with it.
      if (f.sst().kind() == SstKind.EDGES_INV) {
        (files.stream().anyMatch(k -> f.sst().id().equals(k.partner())) ? files : replaced).add(f);
      }
    }
    job.setAside(files, rows, report);
    return rows;
  }

  /** The new files stand for the old one: same keys but those set aside, same kept rows. */
  private void follow(CandidateFile old, SetAsideTask.Outcome outcome) {
    KeyDigest stays = outcome.files().isEmpty() ? KeyDigest.EMPTY : outcome.files().get(0).digest();
    boolean complete =
        old.digest().equals(stays.plus(outcome.removed()))
            && outcome.removed().count() == outcome.quarantine().rows();
    if (!complete) {
      throw new IllegalStateException("rows were lost while some were set aside: " + outcome);
    }
    kept.put(stays, kept.get(old.digest()));
    replaced.add(old);
  }

  /** The plan of a job's tasks without candidates. */
  static SetAsidePlan plan(WritePlan job) {
    StructType rows = job.quarantine().rows();
    return new SetAsidePlan(
        job.store(), job.paths(), job.job(), job.plan().labels(), job.schema(), rows, List.of());
  }
}
