package com.namidb.format.validate;

import com.namidb.format.commit.PublishCheck;
import com.namidb.format.error.BrokenRule;
import com.namidb.format.manifest.ManifestEdit;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.PartRules;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * The checks of a job that its parts ask for. Edges are checked against the base with the whole job
 * on top, so that writes which share a stage may lean on each other. Source: protocol §3.
 */
public final class PartChecks {
  private final StagedChecks checks;
  private final BiFunction<Snapshot, ObjectStore, Set<String>> types;
  private final PublishCheck unique;

  /**
   * Prepares checks; makes no request.
   *
   * @param types all edge types of a version
   * @param unique compares the values under uniqueness rules; goes first, because it may also set
   *     rows aside that others would name
   */
  public PartChecks(
      StagedChecks checks,
      BiFunction<Snapshot, ObjectStore, Set<String>> types,
      PublishCheck unique) {
    this.checks = checks;
    this.types = types;
    this.unique = unique;
  }

  /** Those that need the files' descriptors or the base only, by name. */
  public Map<String, PublishCheck> onBase() {
    Map<String, PublishCheck> out = new LinkedHashMap<>();
    out.put("values under uniqueness rules differ", unique);
    out.put("no row is lost, and as many as expected", (base, job) -> expected(job));
    out.put("no key is in the job twice", checks.distinct());
    out.put("inserted keys are new", checks.only(r -> r.rows() == PartRules.Rows.INSERT).insert());
    out.put(
        "no node of another table is replaced",
        checks
            .only(r -> r.rows() == PartRules.Rows.OVERWRITE && !r.table().label().isEmpty())
            .labelled());
    return out;
  }

  /** Those that see the job's rows on top of the base, which must be below them; by name. */
  public Map<String, PublishCheck> onTop() {
    Map<String, PublishCheck> out = new LinkedHashMap<>();
    out.put("both ends of every edge exist", derived(onTop(checks.only(PartRules::ends).ends())));
    out.put("deleted nodes have no edges", onTop(noEdges(PartRules.Incident.FAIL)));
    out.put("no edge came to detached nodes", detached(onTop(noEdges(PartRules.Incident.DETACH))));
    return out;
  }

  /** Missing ends whose ids were derived: from what, because that is where most errors are. */
  private static PublishCheck derived(PublishCheck check) {
    return (base, job) -> {
      List<String> problems = new ArrayList<>(check.problems(base, job));
      if (!problems.isEmpty()) {
        Set<String> labels = labels(base, job);
        Set<String> from = new LinkedHashSet<>();
        for (StagedPart part : job.parts()) {
          if (part.rules().ends()) {
            from.addAll(part.rules().derived().text(labels));
          }
        }
        if (!from.isEmpty()) {
          problems.set(0, problems.get(0) + " (" + String.join("; ", from) + ")");
        }
      }
      return problems;
    };
  }

  /** All labels that a node may have on the base with the job on top. */
  private static Set<String> labels(Snapshot base, StagedJob job) {
    Set<String> out = new LinkedHashSet<>(ScanPlanner.labels(base.manifest()).names());
    job.candidates().forEach(f -> out.addAll(f.labels().values()));
    return out;
  }

  private PublishCheck noEdges(PartRules.Incident which) {
    return checks.only(r -> r.incident() == which).noEdges(types);
  }

  /** Their edges were found on the version the write read. */
  private static PublishCheck detached(PublishCheck check) {
    return (base, job) -> {
      List<StagedPart> parts = job.parts();
      boolean same =
          parts.size() == 1
              && parts.get(0).rules().read(base.version(), base.manifest().writerId());
      return same
          ? List.of()
          : check.problems(base, job).stream().map(p -> p + ": they came meanwhile").toList();
    };
  }

  /** All of them. */
  public List<PublishCheck> all() {
    List<PublishCheck> out = new ArrayList<>(onBase().values());
    out.addAll(onTop().values());
    return out;
  }

  private static PublishCheck onTop(PublishCheck check) {
    return (base, job) -> check.problems(with(base, job), job);
  }

  /** The version that publishing would make, as far as rows are concerned. */
  private static Snapshot with(Snapshot base, StagedJob job) {
    List<NewSst> added = job.candidates().stream().map(CandidateFile::sst).toList();
    return base.holding(
        ManifestEdit.of(base.manifest())
            .add(added)
            .build(UUID.randomUUID(), Instant.EPOCH, "a version that is never written"));
  }

  /** Where the rows of a job are not as many as its writes were given, or as the user expects. */
  public static List<String> expected(StagedJob job) {
    List<String> out = new ArrayList<>();
    for (StagedPart part : job.parts()) {
      if (!part.balance().holds()) {
        out.add(BrokenRule.LOST.by("") + ": " + part.balance());
      }
      out.addAll(unexpected(part));
    }
    return out;
  }

  /** Where what a write was given differs from what the user expected. */
  public static List<String> unexpected(StagedPart part) {
    List<String> out = new ArrayList<>();
    PartRules rules = part.rules();
    KeyDigest digest = part.digest();
    if (rules.expectedRows() >= 0 && rules.expectedRows() != digest.count()) {
      out.add(
          wrote("expected-rows", Long.toString(rules.expectedRows()), digest.count() + " rows"));
    }
    if (!rules.expectedChecksum().isEmpty() && !rules.expectedChecksum().equals(digest.text())) {
      out.add(wrote("expected-key-checksum", rules.expectedChecksum(), digest.text()));
    }
    return out;
  }

  private static String wrote(String option, String expected, String actual) {
    return BrokenRule.UNEXPECTED.by(option + " is " + expected) + actual;
  }
}
