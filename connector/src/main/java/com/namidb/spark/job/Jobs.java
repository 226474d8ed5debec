package com.namidb.spark.job;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.CommitSettings;
import com.namidb.format.commit.CommitVerifier;
import com.namidb.format.commit.JobRecovery;
import com.namidb.format.commit.PublishPreview;
import com.namidb.format.commit.Verdict;
import com.namidb.format.error.InvalidOptionException;
import com.namidb.format.error.JobErrors;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PlaceOptions;
import com.namidb.spark.options.SessionConf;
import com.namidb.spark.write.publish.JobPublishing;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The named stages and jobs of one namespace. Checks run as Spark jobs of the active session. Safe
 * to use from several threads and applications at once: states change by compare-and-set.
 *
 * <pre>{@code
 * Jobs jobs = Jobs.at(Map.of("uri", "s3://bucket/graphs?ns=social"));
 * PublishPreview preview = jobs.dryRun("nightly-2026-11-29");
 * CommitReceipt receipt = jobs.publish("nightly-2026-11-29");
 * }</pre>
 *
 * Contract §6, §7; protocol §2, §5.
 */
public final class Jobs {
  private final OpenNamespace opened;

  private Jobs(OpenNamespace opened) {
    this.opened = opened;
  }

  /**
   * The jobs of a namespace; makes no request.
   *
   * @param options {@code uri} and the store's options, as in a read or write
   * @throws com.namidb.format.error.InvalidOptionException if they name no namespace
   */
  public static Jobs at(Map<String, String> options) {
    return new Jobs(OpenNamespace.at(PlaceOptions.of(options, SessionConf.lookup())));
  }

  /** The jobs of a namespace that is open already; makes no request. */
  public static Jobs of(OpenNamespace opened) {
    return new Jobs(opened);
  }

  /** Publishes a stage; the same as {@link #publish(String, boolean)} without rewriting. */
  public CommitReceipt publish(String stage) {
    return publish(stage, false);
  }

  /**
   * Checks all writes of a stage together and publishes them in one commit. A stage that was
   * published before gives its first receipt, and one whose driver was killed while publishing is
   * settled first, so calling this again is always safe. Also takes the id of a job that is staged
   * but not published.
   *
   * @param stage its name
   * @param rewrite whether files above 1 GiB that other commits overtook may be written again, as a
   *     Spark job; smaller ones always are
   * @return proof of the commit
   * @throws com.namidb.format.error.InvalidOptionException if there is no such stage, or it was
   *     discarded
   * @throws com.namidb.format.error.ValidationFailedException if a check fails; certainly not
   *     committed, the stage stays
   * @throws com.namidb.format.error.CommitConflictException if other commits changed what it
   *     depends on, or overtook it; certainly not committed, the stage stays
   * @throws com.namidb.format.error.CommitUnknownException if nobody can tell now; call {@link
   *     #verifyCommit} or this again later
   */
  public CommitReceipt publish(String stage, boolean rewrite) {
    StagedJob job = complete(stage);
    int retries = CommitSettings.standard().retries();
    return new JobPublishing(opened, retries, rewrite).publish(job);
  }

  /**
   * Goes through a publication without writing anything: neither the stage nor the namespace
   * changes, and the stage goes on taking rows.
   *
   * @param stage its name
   * @return what would be committed, with the result of every check
   * @throws com.namidb.format.error.InvalidOptionException if there is no such stage, or it is past
   *     that
   */
  public PublishPreview dryRun(String stage) {
    StagedJob job = complete(stage);
    if (job.phase() == JobPhase.DISCARDED) {
      throw JobErrors.discarded(where(stage), "be tried");
    }
    if (job.phase() != JobPhase.OPEN && job.phase() != JobPhase.SEALED) {
      throw JobErrors.jobState(where(stage), job.phase().name(), "be tried");
    }
    return new JobPublishing(opened, 0, false).preview(job);
  }

  /**
   * Gives a stage or job up and deletes its files. Its name may be used again afterwards.
   * Discarding it again is allowed.
   *
   * @param stage its name
   * @throws com.namidb.format.error.InvalidOptionException if there is none, or it took effect
   * @throws com.namidb.format.error.CommitUnknownException if it cannot be told yet whether it took
   *     effect; nothing is deleted then
   */
  public Discarded discard(String stage) {
    StagedJob job = find(stage);
    recovery().discard(job);
    int deleted = 0;
    long bytes = 0;
    int left = 0;
    List<StagedPart> parts = job.preview().parts();
    long current = opened.namespace().log().current().ref().version();
    if (job.attempts().stream().anyMatch(a -> a.baseVersion() == current)) {
      // Its driver may sleep in the middle of its commit: once another is made, clean_staging frees
      // what is left.
      return new Discarded(
          job.id(), 0, 0, parts.stream().mapToInt(part -> part.files().size()).sum());
    }
    for (StagedPart part : parts) {
      part.aside().kept().forEach(f -> quietly(paths().object(f.path())));
    }
    for (CandidateFile file : parts.stream().flatMap(p -> p.files().stream()).toList()) {
      try {
        store().delete(paths().object(file.sst().path()));
        deleted++;
        bytes += file.sst().sizeBytes();
      } catch (NamiException e) {
        // Nobody can publish it any more: only its bytes stay.
        left++;
      }
    }
    return new Discarded(job.id(), deleted, bytes, left);
  }

  private void quietly(String key) {
    try {
      store().delete(key);
    } catch (NamiException e) {
      // Nobody reads it: only its bytes stay.
    }
  }

  /**
   * All stages and jobs that have a state, ascending by name: a LIST of the folders below {@code
   * bulk/}, one GET per job and one per write of it.
   */
  public List<StagedSummary> staged() {
    List<StagedSummary> out = new ArrayList<>();
    folders(
        name ->
            StagedJob.find(paths(), store(), name, Clock.systemUTC())
                .ifPresent(job -> out.add(summary(job))));
    return out;
  }

  /**
   * Proofs of all commits of jobs, with and without a name, as far as they are kept; ascending by
   * job: a LIST of the folders below {@code bulk/} and one GET per folder.
   */
  public List<CommitReceipt> receipts() {
    List<CommitReceipt> out = new ArrayList<>();
    folders(name -> CommitReceipt.stored(store(), paths(), name).ifPresent(out::add));
    return out;
  }

  private void folders(Consumer<String> each) {
    Optional<String> page = Optional.empty();
    do {
      ObjectStore.NamePage names = store().listFolders(paths().bulk(), page);
      names.names().stream().filter(StagedJob::isName).forEach(each);
      page = names.next();
    } while (page.isPresent());
  }

  /**
   * Finds out whether a job or stage took effect, and writes down what became certain. Also answers
   * for a write without a name, whose random id its errors and its receipt tell.
   *
   * @param jobId job id, or name of a stage
   * @return committed at a version, certainly not committed, or undecided with the reason
   */
  public Verdict verifyCommit(String jobId) {
    return StagedJob.find(paths(), store(), jobId, Clock.systemUTC())
        .map(job -> recovery().settle(job))
        .orElseGet(() -> verifier().verify(jobId));
  }

  private StagedSummary summary(StagedJob job) {
    // The reports of a job that was given up may be gone already.
    List<StagedPart> parts = job.phase() == JobPhase.DISCARDED ? List.of() : job.preview().parts();
    List<CandidateFile> files = parts.stream().flatMap(p -> p.files().stream()).toList();
    return new StagedSummary(
        job.id(),
        job.binding().equals(JobName.Stage.BINDING),
        job.phase(),
        job.version(),
        job.plan().isPresent()
            ? OptionalLong.of(job.plan().get().baseVersion())
            : OptionalLong.empty(),
        parts.size(),
        rows(files, SstKind.NODES),
        rows(files, SstKind.EDGES_FWD),
        files.size(),
        files.stream().mapToLong(f -> f.sst().sizeBytes()).sum(),
        Instant.ofEpochMilli(job.updatedMillis()));
  }

  private static long rows(List<CandidateFile> files, SstKind kind) {
    return files.stream()
        .filter(f -> f.sst().kind() == kind)
        .mapToLong(f -> f.sst().counts().rows())
        .sum();
  }

  /** A job that could be published as it is. */
  private StagedJob complete(String stage) {
    StagedJob job = find(stage);
    if (job.phase() == JobPhase.OPEN) {
      if (!job.binding().equals(JobName.Stage.BINDING)) {
        throw JobErrors.unfinished(where(stage));
      }
      if (job.isEmpty()) {
        throw JobErrors.emptyStage(where(stage));
      }
    }
    return job;
  }

  private StagedJob find(String stage) {
    return StagedJob.find(paths(), store(), stage, Clock.systemUTC())
        .orElseThrow(() -> nameless(stage));
  }

  /** What is there under a name that no stage or job has: perhaps the id of an unnamed write. */
  private InvalidOptionException nameless(String id) {
    if (verifier().verify(id) instanceof Verdict.CommittedAt) {
      return JobErrors.committedUnnamed(where(id));
    }
    return CommitVerifier.leftovers(store(), paths(), id)
        ? JobErrors.leftovers(where(id))
        : JobErrors.noJob(where(id));
  }

  private CommitVerifier verifier() {
    return new CommitVerifier(opened.namespace().log(), paths(), store(), Clock.systemUTC());
  }

  private Where where(String stage) {
    return new Where(paths().namespace(), null, paths().bulk(stage), stage);
  }

  private JobRecovery recovery() {
    return new JobRecovery(opened.namespace(), store(), CommitSettings.standard());
  }

  private ObjectStore store() {
    return opened.store();
  }

  private NamespacePaths paths() {
    return opened.location().paths();
  }
}
