package com.namidb.format.stage;

import com.namidb.format.error.Where;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * All candidates of one write, or of several writes that share a stage, and how far they are. A job
 * with a name has a state object that outlives the driver; a job without one lives in memory only.
 * Thread-safe. Source: protocol §2.
 */
public final class StagedJob {
  /** What the name of a job stands for that several writes share. */
  public static final String STAGE = "a stage";

  private final String id;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final JobParts parts;
  private final Clock clock;
  private final JobProgress progress;
  private final long beganMillis;
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
    Where where = new Where(paths.namespace(), null, folder, id);
    progress = new JobProgress(new StateObject(store, folder + "state.json"), named, where, clock);
    held = named ? null : new ArrayList<>();
  }

  /** A job without a name: no state object, no request. */
  public static StagedJob unnamed(NamespacePaths paths, ObjectStore store, Clock clock) {
    StagedJob job = new StagedJob(UUID.randomUUID().toString(), paths, store, clock, false);
    job.progress.open("");
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
    JobNames.check(jobId);
    StagedJob job = new StagedJob(jobId, paths, store, clock, true);
    job.progress.open(binding);
    return job;
  }

  /** Looks a named job up, empty if there is no state object of it. */
  public static Optional<StagedJob> find(
      NamespacePaths paths, ObjectStore store, String jobId, Clock clock) {
    JobNames.check(jobId);
    StagedJob job = new StagedJob(jobId, paths, store, clock, true);
    return job.progress.find() ? Optional.of(job) : Optional.empty();
  }

  /** Whether a job may have this name. */
  public static boolean isName(String jobId) {
    return JobNames.isName(jobId);
  }

  /** Its name, or the random one of a job without. */
  public String id() {
    return id;
  }

  /** Whether it has a state object. */
  public boolean isNamed() {
    return progress.isStored();
  }

  /** Whether several writes may share it. */
  public boolean isStage() {
    return binding().equals(STAGE);
  }

  /** What its name stands for. */
  public synchronized String binding() {
    return progress.state().binding();
  }

  /** When this driver began or found it, by its clock. */
  public long beganMillis() {
    return beganMillis;
  }

  /** Whether no write of it is staged, as last seen. */
  public synchronized boolean isEmpty() {
    return isNamed() ? progress.state().parts().isEmpty() : held.isEmpty();
  }

  /** When its state last changed, by the clock of the driver that changed it. */
  public synchronized long updatedMillis() {
    return progress.state().updatedMillis();
  }

  /** How far it is, as last seen. */
  public synchronized JobPhase phase() {
    return progress.state().phase();
  }

  /** The version it was published as. */
  public synchronized OptionalLong version() {
    return phase() == JobPhase.PUBLISHED
        ? OptionalLong.of(progress.state().version())
        : OptionalLong.empty();
  }

  /** Every attempt to publish so far. */
  public synchronized List<Attempt> attempts() {
    return progress.state().attempts();
  }

  /** What its writes share, empty until planned. */
  public synchronized Optional<JobPlan> plan() {
    return Optional.ofNullable(progress.state().plan());
  }

  /**
   * Fixes or extends the plan. Writes of one stage may plan at once: {@code change} gets the plan
   * there is, or {@code null}, and may be called again.
   */
  public synchronized JobPlan plan(UnaryOperator<JobPlan> change) {
    return progress.plan(change);
  }

  /** Starts afresh in the same folder: parts staged before are ignored from now on. */
  public synchronized void restart() {
    progress.restart();
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
    progress.checkOpen();
    if (isNamed()) {
      progress.list(parts.add(progress.run(), part));
    } else {
      held.add(part);
    }
  }

  /** Freezes the parts: one PUT for a named job; nothing if it is sealed already. */
  public synchronized void seal() {
    progress.seal();
  }

  /**
   * The job as it would be if it were sealed now; nothing is written, and nothing done to the copy
   * reaches the store. One GET per part for a named job.
   */
  public synchronized StagedJob preview() {
    StagedJob copy = new StagedJob(id, paths, store, clock, false);
    copy.progress.copySealed(progress);
    copy.held =
        isNamed() ? progress.state().parts().stream().map(parts::read).toList() : List.copyOf(held);
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
      progress.checkSealed();
      List<StagedPart> read = new ArrayList<>();
      progress.state().parts().forEach(key -> read.add(parts.read(key)));
      held = read;
    }
    return held;
  }

  /** Replaces the parts by the same rows in rewritten files, or by what is left of them. */
  public synchronized void rewritten(List<StagedPart> fresh, JobPlan plan) {
    progress.rewritten(isNamed() ? keys(fresh) : List.of(), plan);
    held = new ArrayList<>(fresh);
  }

  private List<String> keys(List<StagedPart> kept) {
    return kept.stream().map(part -> parts.add(progress.state().run(), part)).toList();
  }

  /**
   * Records an attempt; must return before the attempt writes anything. Refused while another
   * driver publishes the job: two that do so at once would publish it twice.
   *
   * @throws com.namidb.format.error.CommitConflictException if another driver does
   */
  public synchronized void publishing(Attempt attempt) {
    progress.publishing(attempt);
  }

  /**
   * Makes a job without a name findable by its id, after an outcome that nobody can tell: parts and
   * state are stored as those of a named one.
   */
  public synchronized void keepEvidence() {
    if (!isNamed()) {
      progress.keepEvidence(keys(held));
    }
  }

  /**
   * All attempts known here are certainly lost: the candidates may be published again.
   *
   * @return false if another driver has begun or ended one since
   */
  public synchronized boolean lost() {
    return progress.lost();
  }

  /** Published for good. */
  public synchronized void published(long version) {
    progress.published(version);
  }

  /**
   * Gives the job up; settle a job that is being published first.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is published
   */
  public synchronized void discard() {
    progress.discard();
  }

  /**
   * Gives a named job up if nobody has touched it since it was found.
   *
   * @return false if somebody did, or it is past that
   */
  public synchronized boolean discardUntouched() {
    return progress.discardUntouched();
  }

  /** Where its files go. */
  public StageTarget target(ObjectStore store, Path temp) {
    return new StageTarget(store, paths, id, temp);
  }

  /** Key of its receipt. */
  public String receiptKey() {
    return paths.receipt(id);
  }
}
