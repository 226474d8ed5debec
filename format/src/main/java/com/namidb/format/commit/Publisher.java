package com.namidb.format.commit;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.CommitUnknownException;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.JobErrors;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.SnapshotGoneException;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.log.PublishResult;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.snapshot.Location;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.stage.Attempt;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ProvenStores;
import com.namidb.format.store.PutResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Publishes a sealed job in one atomic step, again on a newer base when another writer was first.
 * Safe beside any number of other publishers and engines. Source: protocol §4, manifest §4.7.
 *
 * <p>Requests with a warm base and C candidates: C HEAD, three PUT, and one PUT for the receipt; a
 * named job two PUT more. No GET, no LIST, at any length of history. A base that is not warm is
 * resolved anew and compared with the version floor. A store that may break its promises is probed
 * first, once per JVM.
 */
public final class Publisher {
  /**
   * From its begin to its last attempt, a job without a name takes no longer: less than the age at
   * which its files may be taken for orphans.
   */
  public static final Duration UNNAMED = Duration.ofHours(20);

  private final Namespace namespace;
  private final ManifestLog log;
  private final NamespacePaths paths;
  private final CommitSettings settings;
  private final FileRewriter rewriter;

  /** Rewrites files in this process where that is needed; makes no request. */
  public Publisher(Namespace namespace, CommitSettings settings) {
    this(namespace, settings, FileRewriter.HERE);
  }

  /** Makes no request. */
  public Publisher(Namespace namespace, CommitSettings settings, FileRewriter rewriter) {
    this.rewriter = rewriter;
    this.namespace = namespace;
    this.log = namespace.log();
    this.paths = namespace.location().paths();
    this.settings = settings;
  }

  /**
   * Publishes.
   *
   * @param job is sealed here if it is open
   * @param target where the job's files are, and where further ones go
   * @return proof; stored beside the job as well
   * @throws com.namidb.format.error.ValidationFailedException if a check fails; nothing was written
   * @throws com.namidb.format.error.CommitConflictException if it cannot be published on what
   *     others committed; certainly not committed
   * @throws com.namidb.format.error.CommitUnknownException if nobody can tell now
   * @throws com.namidb.format.error.StoreUnsafeException if commits on this store would not be safe
   */
  public CommitReceipt publish(StagedJob job, StageTarget target, PublishOrder order) {
    Location location = namespace.location();
    ProvenStores.require(location.store(), target.store(), paths.bulk());
    job.seal();
    Loop loop = new Loop(job, target, order);
    for (int losses = 0; losses <= settings.retries(); losses++) {
      if (losses > 0) {
        settings.sleeper().sleep(settings.pause(losses));
      }
      CommitReceipt receipt = loop.attempt(losses);
      if (receipt != null) {
        return receipt;
      }
    }
    loop.backToSealed();
    throw CommitErrors.outOfRetries(loop.where(loop.seen), settings.retries() + 1);
  }

  /** One publication's loop. */
  private final class Loop {
    private final StagedJob job;
    private final StageTarget target;
    private final NextVersion nextVersion;
    private boolean begun;
    private long seen;

    Loop(StagedJob job, StageTarget target, PublishOrder order) {
      this.job = job;
      this.target = target;
      nextVersion = new NextVersion(namespace, settings, rewriter, target, order);
    }

    private Where where(long version) {
      return new Where(paths.namespace(), version, null, job.id());
    }

    /** Where it matters which object says so. */
    private Where body(long version) {
      return new Where(paths.namespace(), version, log.key(version), job.id());
    }

    /** The receipt, or {@code null} if another writer was first. */
    CommitReceipt attempt(int losses) {
      Committed base = null;
      NextVersion.Prepared prepared;
      try {
        base = losses == 0 ? log.fresh().filter(this::knowsAll).orElseGet(log::base) : log.base();
        seen = base.ref().version();
        Long earlier = base.manifest().jobs().get(job.id());
        if (earlier != null) {
          return recorded(earlier);
        }
        if ((losses == 0 && !job.attempts().isEmpty()) || holdsFiles(base.manifest())) {
          // An earlier run was taken for dead, and has gone on.
          Verdict verdict =
              new CommitVerifier(log, paths, target.store(), settings.clock()).verify(job);
          if (verdict instanceof Verdict.CommittedAt at) {
            job.published(at.version());
            return StoredReceipt.of(job, at.version(), log, target.store());
          }
        }
        prepared = nextVersion.prepare(base, job);
      } catch (CorruptObjectException | SnapshotGoneException e) {
        if (isOvertaken(base)) {
          // Collected under us, which takes an unsafe age: the race was lost long ago.
          return null;
        }
        backToSealed(e);
        throw e;
      } catch (RuntimeException e) {
        backToSealed(e);
        throw e;
      }
      UUID writer = UUID.fromString(prepared.next().writerId());
      List<UUID> ids = prepared.added().stream().map(NewSst::id).toList();
      job.publishing(new Attempt(seen, writer, ids, settings.clock().millis()));
      begun = true;
      PublishResult result = log.publish(base, prepared.next(), settings.probe());
      if (result instanceof PublishResult.Committed committed) {
        return finish(base, prepared, committed, losses + 1);
      }
      if (result instanceof PublishResult.Stalled) {
        backToSealed();
        throw CommitErrors.stalled(body(seen + 1));
      }
      if (result instanceof PublishResult.Failed failed) {
        backToSealed(failed.reason());
        throw failed.reason();
      }
      if (result instanceof PublishResult.Unknown unknown) {
        throw undecided(unknown);
      }
      return null;
    }

    /** Whether what could not be read belongs to a version that is not the newest one any more. */
    private boolean isOvertaken(Committed base) {
      try {
        return base != null && !log.base().ref().equals(base.ref());
      } catch (NamiException e) {
        return false;
      }
    }

    /** Another driver may have planned a part of the job on a version newer than the one held. */
    private boolean knowsAll(Committed held) {
      return job.parts().stream()
          .allMatch(p -> Long.compareUnsigned(p.rules().readVersion(), held.ref().version()) <= 0);
    }

    /** Whether a version lists what an attempt of this job was about to add. */
    private boolean holdsFiles(Manifest manifest) {
      Set<UUID> ids = new HashSet<>();
      job.attempts().forEach(a -> ids.addAll(a.ssts()));
      return !ids.isEmpty() && manifest.ssts().stream().anyMatch(s -> ids.contains(s.id()));
    }

    /** The base says that this very job was committed, by another driver or an earlier run. */
    private CommitReceipt recorded(long version) {
      Committed its;
      try {
        its = log.at(version);
      } catch (SnapshotGoneException e) {
        throw JobErrors.published(where(seen), version, "be published again");
      }
      UUID writer = UUID.fromString(its.ref().writerId());
      job.publishing(new Attempt(version - 1, writer, List.of(), settings.clock().millis()));
      job.published(version);
      return StoredReceipt.of(job, version, log, target.store());
    }

    private CommitReceipt finish(
        Committed base,
        NextVersion.Prepared prepared,
        PublishResult.Committed committed,
        int attempts) {
      List<String> warnings = new ArrayList<>(committed.warnings());
      CommitReceipt receipt =
          new CommitReceipt(
              job.id(),
              job.operation(),
              base.ref().version(),
              committed.ref().version(),
              committed.ref().writerId(),
              Math.floorDiv(committed.ref().createdAtMicros(), 1000L),
              prepared.files(),
              prepared.folded(),
              job.balance(),
              attempts,
              warnings,
              job.quarantine());
      // The version is committed: nothing that fails from here on may look like a failed commit.
      try {
        PutResult put = target.store().put(job.receiptKey(), receipt.toBytes());
        if (put instanceof PutResult.Unclear unclear) {
          warnings.add("the receipt may not be stored: " + unclear.cause());
        }
      } catch (RuntimeException e) {
        warnings.add("the receipt is not stored: " + e.getMessage());
      }
      try {
        job.published(committed.ref().version());
      } catch (RuntimeException e) {
        warnings.add("the job's state still says PUBLISHING: " + e.getMessage());
      }
      return receipt.with(warnings);
    }

    private CommitUnknownException undecided(PublishResult.Unknown unknown) {
      CommitUnknownException e = CommitErrors.unknown(body(seen + 1), unknown.evidence(), null);
      try {
        job.keepEvidence();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      return e;
    }

    /** Every attempt so far is certainly lost. */
    private void backToSealed() {
      if (begun) {
        job.lost();
      }
    }

    private void backToSealed(RuntimeException cause) {
      try {
        backToSealed();
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
