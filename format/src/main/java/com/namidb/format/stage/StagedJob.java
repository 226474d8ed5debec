package com.namidb.format.stage;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * All candidates of one write, or of several writes that share a stage, and how far they are. A job
 * with a name has a state object that outlives the driver; a job without one lives in memory only.
 * Thread-safe. Source: protocol §2.
 */
public final class StagedJob {
  /** What the name of a job stands for that several writes share. */
  public static final String STAGE = "a stage";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final Set<String> RESERVED = Set.of(".", "..", "floor.json", "sweep.json");
  private static final int TRIES = 100;

  private final String id;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final JobParts parts;
  private final Clock clock;
  private final StateObject stored;
  private final StateObject evidence;
  private final long beganMillis;
  private JobState state;
  private UUID run;
  private List<StagedPart> held;

  private StagedJob(
      String id, NamespacePaths paths, ObjectStore store, Clock clock, boolean named) {
    this.id = id;
    this.paths = paths;
    this.store = store;
    this.clock = clock;
    beganMillis = clock.millis();
    String folder = paths.bulk(id);
    parts = new JobParts(store, folder);
    evidence = new StateObject(store, folder + "state.json");
    stored = named ? evidence : null;
    held = named ? null : new ArrayList<>();
  }

  /** A job without a name: no state object, no request. */
  public static StagedJob unnamed(NamespacePaths paths, ObjectStore store, Clock clock) {
    StagedJob job = new StagedJob(UUID.randomUUID().toString(), paths, store, clock, false);
    job.state = JobState.open("", clock.millis());
    job.run = job.state.run();
    return job;
  }

  /**
   * Opens a named job or creates it: one GET, and one PUT if it is new.
   *
   * @param binding target, mode and options the name stands for
   * @throws com.namidb.format.error.InvalidOptionException if the name is none, or stands for
   *     something else
   */
  public static StagedJob open(
      NamespacePaths paths, ObjectStore store, String jobId, String binding, Clock clock) {
    checkId(jobId);
    StagedJob job = new StagedJob(jobId, paths, store, clock, true);
    if (job.stored.load().isEmpty()) {
      job.stored.swap(JobState.open(binding, clock.millis()));
    }
    job.state = job.stored.state();
    if (!job.state.binding().equals(binding)) {
      throw CommitErrors.otherJob(job.where(), job.state.binding(), binding);
    }
    job.run = job.state.run();
    return job;
  }

  /** Looks a named job up, empty if there is no state object of it. */
  public static Optional<StagedJob> find(
      NamespacePaths paths, ObjectStore store, String jobId, Clock clock) {
    checkId(jobId);
    StagedJob job = new StagedJob(jobId, paths, store, clock, true);
    job.state = job.stored.load().orElse(null);
    if (job.state == null) {
      return Optional.empty();
    }
    job.run = job.state.run();
    return Optional.of(job);
  }

  /** Whether a job may have this name. */
  public static boolean isName(String jobId) {
    return ID.matcher(jobId).matches() && !RESERVED.contains(jobId);
  }

  private static void checkId(String jobId) {
    if (!isName(jobId)) {
      throw CommitErrors.badJobId(jobId);
    }
  }

  /** Its name, or the random one of a job without. */
  public String id() {
    return id;
  }

  /** Whether it has a state object. */
  public boolean isNamed() {
    return stored != null;
  }

  /** Whether several writes may share it. */
  public boolean isStage() {
    return binding().equals(STAGE);
  }

  /** What its name stands for. */
  public synchronized String binding() {
    return state.binding();
  }

  /** When this driver began or found it, by its clock. */
  public long beganMillis() {
    return beganMillis;
  }

  /** Whether no write of it is staged, as last seen. */
  public synchronized boolean isEmpty() {
    return isNamed() ? state.parts().isEmpty() : held.isEmpty();
  }

  /** When its state last changed, by the clock of the driver that changed it. */
  public synchronized long updatedMillis() {
    return state.updatedMillis();
  }

  /** How far it is, as last seen. */
  public synchronized JobPhase phase() {
    return state.phase();
  }

  /** The version it was published as. */
  public synchronized OptionalLong version() {
    return state.phase() == JobPhase.PUBLISHED
        ? OptionalLong.of(state.version())
        : OptionalLong.empty();
  }

  /** Every attempt to publish so far. */
  public synchronized List<Attempt> attempts() {
    return state.attempts();
  }

  /** What its writes share, empty until planned. */
  public synchronized Optional<JobPlan> plan() {
    return Optional.ofNullable(state.plan());
  }

  /**
   * Fixes or extends the plan. Writes of one stage may plan at once: {@code change} gets the plan
   * there is, or {@code null}, and may be called again.
   */
  public synchronized JobPlan plan(UnaryOperator<JobPlan> change) {
    step(
        "be planned",
        EnumSet.of(JobPhase.OPEN),
        s -> s.planned(change.apply(sameRun(s, "be planned").plan())));
    return state.plan();
  }

  /** Starts afresh in the same folder: parts staged before are ignored from now on. */
  public synchronized void restart() {
    if (state.phase() == JobPhase.SEALED || state.phase() == JobPhase.PUBLISHING) {
      throw CommitErrors.takenOver(where(), "start afresh");
    }
    step(
        "start afresh",
        EnumSet.of(JobPhase.OPEN, JobPhase.DISCARDED),
        s -> JobState.open(s.binding(), clock.millis()));
    run = state.run();
    held = isNamed() ? null : new ArrayList<>();
  }

  /** Adds rows for which nothing is checked. */
  public void addPart(List<CandidateFile> files, Balance balance) {
    addPart(
        new StagedPart(files, balance, PartRules.BLIND, QuarantineReport.EMPTY, AsideRules.NONE));
  }

  /**
   * Adds what one write staged: for a named job one PUT, and one of the state, which alone says
   * what belongs to the job. So a part is either in before the job is sealed or refused, whichever
   * driver seals it.
   */
  public synchronized void addPart(StagedPart part) {
    require("take more rows", EnumSet.of(JobPhase.OPEN));
    if (!isNamed()) {
      held.add(part);
      return;
    }
    String key = parts.add(run, part);
    step(
        "take more rows",
        EnumSet.of(JobPhase.OPEN),
        s -> {
          List<String> keys = new ArrayList<>(sameRun(s, "take more rows").parts());
          keys.add(key);
          return s.listing(keys);
        });
  }

  /** Freezes the parts: one PUT for a named job; nothing if it is sealed already. */
  public synchronized void seal() {
    if (state.phase() != JobPhase.OPEN) {
      require("be sealed", EnumSet.of(JobPhase.SEALED));
      return;
    }
    step(
        "be sealed",
        EnumSet.of(JobPhase.OPEN),
        s -> sameRun(s, "be sealed").at(JobPhase.SEALED, clock.millis()));
  }

  /** Two drivers that run one job at once must not mix their rows. */
  private JobState sameRun(JobState seen, String what) {
    if (!seen.run().equals(run)) {
      throw CommitErrors.takenOver(where(), what);
    }
    return seen;
  }

  /**
   * The job as it would be if it were sealed now; nothing is written, and nothing done to the copy
   * reaches the store. One GET per part for a named job.
   */
  public synchronized StagedJob preview() {
    StagedJob copy = new StagedJob(id, paths, store, clock, false);
    copy.state = state.at(JobPhase.SEALED, clock.millis());
    copy.run = run;
    copy.held = isNamed() ? state.parts().stream().map(parts::read).toList() : List.copyOf(held);
    return copy;
  }

  /** All candidates of the sealed job; read once for a named one. */
  public synchronized List<CandidateFile> candidates() {
    List<CandidateFile> out = new ArrayList<>();
    parts().forEach(p -> out.addAll(p.files()));
    return out;
  }

  /** The rows of all parts together. */
  public synchronized Balance balance() {
    return parts().stream().map(StagedPart::balance).reduce(Balance.EMPTY, Balance::plus);
  }

  /** What the users of all parts asked for: each kind once, with {@code +} between them. */
  public synchronized String operation() {
    return parts().stream()
        .map(p -> p.rules().operation())
        .distinct()
        .sorted()
        .collect(Collectors.joining("+"));
  }

  /** The rows set aside by all parts together. */
  public synchronized QuarantineReport quarantine() {
    return parts().stream()
        .map(StagedPart::quarantine)
        .reduce(QuarantineReport.EMPTY, QuarantineReport::plus);
  }

  /** What each write of the sealed job staged; read once for a named one. */
  public synchronized List<StagedPart> parts() {
    if (held == null) {
      require(
          "be read before it is sealed",
          EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING, JobPhase.PUBLISHED));
      List<StagedPart> read = new ArrayList<>();
      state.parts().forEach(key -> read.add(parts.read(key)));
      held = read;
    }
    return held;
  }

  /** Replaces the parts by the same rows in rewritten files, or by what is left of them. */
  public synchronized void rewritten(List<StagedPart> fresh, JobPlan plan) {
    List<String> keys =
        isNamed() ? fresh.stream().map(part -> parts.add(state.run(), part)).toList() : List.of();
    step(
        "be rewritten",
        EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING),
        s -> s.listing(keys).planned(plan));
    held = new ArrayList<>(fresh);
  }

  /**
   * Records an attempt; must return before the attempt writes anything. Refused while another
   * driver publishes the job: two that do so at once would publish it twice.
   *
   * @throws com.namidb.format.error.CommitConflictException if another driver does
   */
  public synchronized void publishing(Attempt attempt) {
    List<Attempt> known = state.attempts();
    step(
        "be published",
        EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING),
        s -> {
          if (s.phase() == JobPhase.PUBLISHING && !s.attempts().equals(known)) {
            throw CommitErrors.takenOver(where(), "publish it");
          }
          return s.with(attempt).at(JobPhase.PUBLISHING, clock.millis());
        });
  }

  /**
   * Makes a job without a name findable by its id, after an outcome that nobody can tell: parts and
   * state are stored as those of a named one.
   */
  public synchronized void keepEvidence() {
    if (!isNamed()) {
      List<String> keys = held.stream().map(p -> parts.add(state.run(), p)).toList();
      evidence.swap(state.listing(keys));
    }
  }

  /** All attempts are certainly lost: the candidates may be published again. */
  public synchronized void lost() {
    step(
        "be sealed again",
        EnumSet.of(JobPhase.PUBLISHING, JobPhase.SEALED),
        s -> s.at(JobPhase.SEALED, clock.millis()));
  }

  /** Published for good. */
  public synchronized void published(long version) {
    step(
        "be published",
        EnumSet.of(JobPhase.PUBLISHING, JobPhase.PUBLISHED),
        s -> s.as(version).at(JobPhase.PUBLISHED, clock.millis()));
  }

  /**
   * Gives the job up; settle a job that is being published first.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is published
   */
  public synchronized void discard() {
    if (state.phase() == JobPhase.PUBLISHED) {
      throw CommitErrors.staysPublished(where(), state.version());
    }
    step(
        "be discarded",
        EnumSet.of(JobPhase.OPEN, JobPhase.SEALED, JobPhase.DISCARDED),
        s -> s.at(JobPhase.DISCARDED, clock.millis()));
  }

  /**
   * Gives a named job up if nobody has touched it since it was found.
   *
   * @return false if somebody did, or it is past that
   */
  public synchronized boolean discardUntouched() {
    return isNamed()
        && (state.phase() == JobPhase.OPEN || state.phase() == JobPhase.SEALED)
        && stored.swap(state.at(JobPhase.DISCARDED, clock.millis()));
  }

  /** Where its files go. */
  public StageTarget target(ObjectStore store, Path temp) {
    return new StageTarget(store, paths, id, temp);
  }

  /** Key of its receipt. */
  public String receiptKey() {
    return paths.receipt(id);
  }

  private void step(String what, Set<JobPhase> from, UnaryOperator<JobState> change) {
    for (int i = 0; i < TRIES; i++) {
      require(what, from);
      JobState next = change.apply(state);
      if (next.equals(state)) {
        return;
      }
      if (!isNamed() || stored.swap(next)) {
        state = next;
        return;
      }
      state = stored.state();
      if (state == null) {
        throw CommitErrors.jobState(where(), "gone", what);
      }
    }
    throw CommitErrors.jobState(where(), "changed by others all the time", what);
  }

  private void require(String what, Set<JobPhase> phases) {
    if (phases.contains(state.phase())) {
      return;
    }
    if (state.phase() == JobPhase.DISCARDED) {
      throw CommitErrors.discarded(where(), what);
    }
    if (state.phase() == JobPhase.PUBLISHED && state.run().equals(run)) {
      throw CommitErrors.published(where(), state.version(), what);
    }
    throw state.run().equals(run)
        ? CommitErrors.jobState(where(), state.phase().name(), what)
        : CommitErrors.takenOver(where(), what);
  }

  private Where where() {
    return new Where(paths.namespace(), null, paths.bulk(id), id);
  }
}
