package com.namidb.spark.write.publish;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.CommitSettings;
import com.namidb.format.commit.DryRun;
import com.namidb.format.commit.FileRewriter;
import com.namidb.format.commit.Footprint;
import com.namidb.format.commit.Isolation;
import com.namidb.format.commit.JobRecovery;
import com.namidb.format.commit.PartConflicts;
import com.namidb.format.commit.PublishCheck;
import com.namidb.format.commit.PublishOrder;
import com.namidb.format.commit.PublishPreview;
import com.namidb.format.error.CommitConflictException;
import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.JobErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.ValidationFailedException;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.validate.PartChecks;
import com.namidb.format.validate.StagedChecks;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.read.EdgeTypes;
import com.namidb.spark.write.check.NothingLeftException;
import com.namidb.spark.write.check.RowChecks;
import com.namidb.spark.write.check.SparkProbes;
import com.namidb.spark.write.check.UniqueCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Publishes jobs by what their parts say, whichever driver staged them; a job without a name has
 * one part, in memory. Nobody else decides what is checked. Checks run as Spark jobs of the active
 * session. Protocol §2, §3.
 */
public final class JobPublishing {
  private static final String CONFLICTS = "no other commit changed what the rows depend on";

  private final OpenNamespace opened;
  private final CommitSettings settings;
  private final FileRewriter rewriter;

  /**
   * Makes no request.
   *
   * @param retries further attempts after a lost race
   * @param rewrite whether files of any size may be written again, as a Spark job
   */
  public JobPublishing(OpenNamespace opened, int retries, boolean rewrite) {
    this.opened = opened;
    CommitSettings s = CommitSettings.standard();
    settings =
        new CommitSettings(
            retries,
            s.backoff(),
            rewrite ? Long.MAX_VALUE : s.rewriteLimit(),
            s.clock(),
            s.random(),
            s.sleeper(),
            s.probe());
    rewriter = rewrite ? new SparkRewriter(opened.location().store()) : FileRewriter.HERE;
  }

  /**
   * Makes certain what became of a job that is being published.
   *
   * @throws com.namidb.format.error.CommitUnknownException if that cannot be told yet
   */
  public void settle(StagedJob job) {
    recovery().finish(job);
  }

  /**
   * Publishes a job whose rows are staged; one that took effect already gives its first receipt.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it was discarded
   * @throws com.namidb.format.error.CommitUnknownException if nobody can tell now
   */
  public CommitReceipt publish(StagedJob job) {
    if (job.phase() != JobPhase.PUBLISHED) {
      // A write looks for the newest version when it is planned. Rows that were staged before have
      // no plan in this process, and what it holds may have been restored or deleted since.
      opened.namespace().log().current();
    }
    return publish(job, Optional.empty())
        .orElseThrow(() -> new IllegalStateException("a job with a name always has a receipt"));
  }

  /**
   * The same for a job that may have no name.
   *
   * @param read the version its write was planned on, if that is at hand
   * @return empty if the job has no name and no row is left: nothing is committed
   */
  Optional<CommitReceipt> publish(StagedJob job, Optional<Snapshot> read) {
    if (job.phase() == JobPhase.PUBLISHING) {
      settle(job);
    }
    if (job.phase() != JobPhase.PUBLISHED) {
      job.seal();
    }
    boolean before = job.phase() == JobPhase.PUBLISHED;
    RowChecks rows = new RowChecks(opened.location().store(), paths(), opened.store());
    boolean[] changed = {false};
    Path temp = temp();
    try {
      if (!job.isNamed() && job.candidates().isEmpty()) {
        throw new NothingLeftException();
      }
      PublishOrder order = before ? PublishOrder.blind() : order(job, rows, read, changed);
      CommitReceipt receipt =
          recovery()
              .rerun(job, job.target(opened.store(), temp), order)
              .orElseThrow(() -> JobErrors.rerun(paths().namespace(), job.id()));
      if (!before) {
        outcome(job, rows).tell(Optional.of(receipt.version()));
      }
      return Optional.of(receipt);
    } catch (NothingLeftException e) {
      List<String> problems = PartChecks.expected(job);
      if (!problems.isEmpty()) {
        throw CommitErrors.invalid(NamedJobs.where(paths(), job), problems);
      }
      outcome(job, rows).tell(Optional.empty());
      return Optional.empty();
    } catch (ValidationFailedException e) {
      giveUp(job, e);
      throw e;
    } catch (CommitConflictException e) {
      if (changed[0]) {
        giveUp(job, e);
      }
      throw e;
    } finally {
      drop(temp);
    }
  }

  private QuarantineOutcome outcome(StagedJob job, RowChecks rows) {
    return new QuarantineOutcome(opened.location(), opened.store(), job, rows.leftovers(job));
  }

  /**
   * What publishing would do; writes nothing. Rows that would be set aside are named as broken.
   *
   * @param job in whatever phase before publishing
   */
  public PublishPreview preview(StagedJob job) {
    StagedJob copy = job.preview();
    Map<String, PublishCheck> onBase = new LinkedHashMap<>();
    onBase.put(CONFLICTS, conflicts(Optional.empty()));
    PartChecks checks = checks(new UniqueCheck(opened.location().store(), paths(), opened.store()));
    onBase.putAll(checks.onBase());
    return new DryRun(opened.namespace(), opened.store())
        .run(copy, retireSearch(copy), onBase, checks.onTop());
  }

  /** The same files would fail again: the next run of this write must compute its rows anew. */
  private void giveUp(StagedJob job, RuntimeException cause) {
    boolean own = job.isNamed() && !job.binding().equals(JobName.Stage.BINDING);
    if (!own || job.phase() != JobPhase.SEALED) {
      return;
    }
    try {
      Set<UUID> files = new HashSet<>();
      job.candidates().forEach(f -> files.add(f.sst().id()));
      job.attempts().forEach(a -> files.addAll(a.ssts()));
      // Whatever went wrong: rows that are visible must never be written again.
      if (opened.namespace().log().current().manifest().ssts().stream()
          .noneMatch(sst -> files.contains(sst.id()))) {
        job.discard();
      }
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private PublishOrder order(
      StagedJob job, RowChecks rows, Optional<Snapshot> read, boolean[] changed) {
    PartConflicts conflicts = conflicts(read);
    List<PublishCheck> list = new ArrayList<>();
    list.add(
        (base, staged) -> {
          changed[0] = true;
          List<String> none = conflicts.problems(base, staged);
          changed[0] = false;
          return none;
        });
    list.addAll(checks(rows).all());
    return new PublishOrder(
        null,
        Isolation.SNAPSHOT,
        Footprint.ALL,
        list,
        (r, b, f, n) -> List.of(),
        retireSearch(job));
  }

  /** Whether every write that adds nodes allows it; without nodes, whether any write does. */
  private static boolean retireSearch(StagedJob job) {
    List<StagedPart> nodes =
        job.parts().stream()
            .filter(p -> p.files().stream().anyMatch(f -> f.sst().kind() == SstKind.NODES))
            .toList();
    return nodes.isEmpty()
        ? job.parts().stream().anyMatch(p -> p.rules().retireSearch())
        : nodes.stream().allMatch(p -> p.rules().retireSearch());
  }

  private JobRecovery recovery() {
    return new JobRecovery(opened.namespace(), opened.store(), settings, rewriter);
  }

  private PartConflicts conflicts(Optional<Snapshot> read) {
    return new PartConflicts(opened.namespace(), opened.store(), staged().winners(), read);
  }

  private PartChecks checks(PublishCheck unique) {
    return new PartChecks(
        staged(), (at, store) -> EdgeTypes.all(at, WalPolicy.REPLAY, store), unique);
  }

  private StagedChecks staged() {
    return new StagedChecks(opened.store(), paths(), new SparkProbes(opened.location().store()));
  }

  private NamespacePaths paths() {
    return opened.location().paths();
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
