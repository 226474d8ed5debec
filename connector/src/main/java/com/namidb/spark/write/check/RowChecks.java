package com.namidb.spark.write.check;

import com.namidb.format.commit.PublishCheck;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.AsideRules;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.validate.StagedChecks;
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
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * The checks of staged rows on the version to be committed on that may set rows aside, as the only
 * part of the job allows: the rows go to quarantine files and the candidates are written again
 * without them. Runs anew on every base; what is set aside stays so. Without quarantine the rows
 * are named, and the publication fails.
 */
public final class RowChecks implements PublishCheck {
  /** Setting a row aside may give its old value back to a node of the base, and so on. */
  private static final int ROUNDS = 10;

  private final StoreConfig config;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final StoreJobs jobs;
  private final List<CandidateFile> replaced = new ArrayList<>();

  /**
   * Prepares the checks.
   *
   * @param config for tasks
   * @param store for planning; stays owned by the caller
   */
  public RowChecks(StoreConfig config, NamespacePaths paths, ObjectStore store) {
    this.config = config;
    this.paths = paths;
    this.store = store;
    jobs = new StoreJobs(config);
  }

  @Override
  public List<String> problems(Snapshot base, StagedJob job) {
    AsideRules rules = rules(job);
    if (rules.invalid() && !rules.kept().isEmpty()) {
      setTwiceAside(base, job);
    }
    if (rules.dangling()) {
      StagedChecks checks = new StagedChecks(store, paths, (pieces, limit) -> List.of());
      apply(base, job, staged -> dangling(checks, base, job.candidates(), staged));
    }
    List<String> problems = unique(base, job);
    if (problems.isEmpty() && !job.isNamed() && job.candidates().isEmpty()) {
      throw new NothingLeftException();
    }
    return problems;
  }

  /** Writes that share a stage set nothing aside after staging. */
  private static AsideRules rules(StagedJob job) {
    return job.parts().size() == 1 ? job.parts().get(0).aside() : AsideRules.NONE;
  }

  private static Map<KeyDigest, String> kept(AsideRules rules) {
    Map<KeyDigest, String> out = new HashMap<>();
    rules.kept().forEach(f -> out.put(f.digest(), f.path()));
    out.remove(KeyDigest.EMPTY);
    return out;
  }

  /**
   * Candidates that were replaced, and objects with kept rows: nobody needs them after a commit.
   */
  public List<String> leftovers(StagedJob job) {
    Set<String> out = new HashSet<>();
    rules(job).kept().forEach(f -> out.add(f.path()));
    replaced.forEach(f -> out.add(f.sst().path()));
    return out.stream().map(paths::object).toList();
  }

  private void setTwiceAside(Snapshot base, StagedJob job) {
    StagedChecks checks = new StagedChecks(store, paths, new SparkProbes(config));
    List<String> aside =
        rules(job).kept().stream()
            .filter(f -> f.digest().equals(KeyDigest.EMPTY))
            .map(f -> paths.object(f.path()))
            .toList();
    if (!aside.isEmpty() || !checks.distinct().problems(base, job).isEmpty()) {
      apply(
          base,
          job,
          staged -> {
            JavaRDD<byte[]> keys = jobs.keys(paths, staged);
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
    UniqueRejects unique = new UniqueRejects(jobs, paths, store);
    for (int round = 0; round < ROUNDS; round++) {
      List<CandidateFile> nodes = UniqueCheck.nodes(job);
      List<UniqueRule> broken = UniqueRejects.rules(base, nodes);
      if (broken.isEmpty()) {
        return List.of();
      }
      // A constraint may be younger than the plan of the job: then no row was kept.
      AsideRules rules = rules(job);
      Map<KeyDigest, String> kept = kept(rules);
      boolean aside =
          rules.invalid()
              && nodes.stream().allMatch(f -> isRemoval(f) || kept.containsKey(f.digest()));
      if (!aside) {
        return new UniqueCheck(config, paths, store).problems(base, job);
      }
      if (apply(base, job, staged -> unique.find(base, staged, broken)) == 0) {
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
  private long apply(
      Snapshot base, StagedJob job, Function<List<CandidateFile>, JavaRDD<byte[]>> find) {
    List<CandidateFile> staged = staged(job);
    if (staged.isEmpty()) {
      return 0;
    }
    AsideRules rules = rules(job);
    Map<KeyDigest, String> kept = kept(rules);
    List<SetAsidePlan.Item> items =
        staged.stream().map(f -> new SetAsidePlan.Item(f, kept.get(f.digest()))).toList();
    List<SetAsideTask.Outcome> outcomes =
        jobs.setAside(plan(base, job, rules, items), find.apply(staged));
    if (outcomes.isEmpty()) {
      return 0;
    }
    Map<Integer, SetAsideTask.Outcome> byItem =
        outcomes.stream().collect(Collectors.toMap(SetAsideTask.Outcome::item, o -> o));
    List<KeptFile> rowsOf = new ArrayList<>(rules.kept());
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
      if (!outcome.files().isEmpty()) {
        String rowsPath = kept.get(staged.get(i).digest());
        rowsOf.add(new KeptFile(outcome.files().get(0).digest(), rowsPath));
      }
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
    StagedPart left = job.parts().get(0).without(rows, files, report, rules.keeping(rowsOf));
    job.rewritten(List.of(left), job.plan().orElseThrow());
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
    replaced.add(old);
  }

  private SetAsidePlan plan(
      Snapshot base, StagedJob job, AsideRules rules, List<SetAsidePlan.Item> items) {
    return new SetAsidePlan(
        config,
        paths,
        job.id(),
        job.plan().orElseThrow().labels(),
        base.manifest().schema(),
        (StructType) DataType.fromJson(rules.rows()),
        items);
  }
}
