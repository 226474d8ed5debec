package com.namidb.format.commit;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.JobErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.log.PublishResult;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ProvenStores;
import java.util.Optional;

/**
 * What to do with a named job that exists already: reruns, settling, discarding. Protocol §2, §5.
 */
public final class JobRecovery {
  private final Namespace namespace;
  private final ObjectStore store;
  private final CommitSettings settings;
  private final FileRewriter rewriter;

  /** Rewrites files in this process where that is needed; makes no request. */
  public JobRecovery(Namespace namespace, ObjectStore store, CommitSettings settings) {
    this(namespace, store, settings, FileRewriter.HERE);
  }

  /** Makes no request. */
  public JobRecovery(
      Namespace namespace, ObjectStore store, CommitSettings settings, FileRewriter rewriter) {
    this.rewriter = rewriter;
    this.namespace = namespace;
    this.store = store;
    this.settings = settings;
  }

  /** Finds out whether a job took effect, and writes down what is certain. */
  public Verdict settle(StagedJob job) {
    Verdict verdict = verifier().verify(job);
    switch (job.phase()) {
      case PUBLISHING, SEALED -> {
        if (verdict instanceof Verdict.CommittedAt at) {
          job.published(at.version());
        } else if (verdict instanceof Verdict.NotCommitted && !job.lost()) {
          return job.phase() == JobPhase.PUBLISHING
              ? new Verdict.Undecided("another driver is publishing it at this moment; ask again")
              : verifier().verify(job);
        }
      }
      case OPEN, PUBLISHED, DISCARDED -> {
        // Says already what is certain.
      }
    }
    return verdict;
  }

  /**
   * Finds out whether a job took effect, or makes it certain: a body that a driver left without its
   * pointer passed all checks and is completed, as an opening by the engine would do.
   *
   * @throws com.namidb.format.error.CommitUnknownException if it cannot be told yet
   */
  public void finish(StagedJob job) {
    Verdict verdict = settle(job);
    if (verdict instanceof Verdict.Undecided undecided && !complete(job)) {
      throw CommitErrors.unknown(where(job), undecided.reason(), null);
    }
  }

  private boolean complete(StagedJob job) {
    Committed top = namespace.log().current();
    Optional<Manifest> body = verifier().waiting(job, top.ref().version());
    requireSafe();
    // The same bytes at the same place: whoever comes first, it is this version or another's.
    boolean done =
        body.isPresent()
            && namespace.log().publish(top, body.get(), settings.probe())
                instanceof PublishResult.Committed;
    if (done) {
      job.published(body.get().version());
    }
    return done;
  }

  private CommitVerifier verifier() {
    return new CommitVerifier(namespace.log(), paths(), store, settings.clock());
  }

  /**
   * Runs a job again: one that took effect gives its receipt, one that is staged is published, any
   * other starts afresh.
   *
   * @return empty if the caller must stage the rows anew
   * @throws com.namidb.format.error.CommitUnknownException if the last run cannot be settled yet
   * @throws com.namidb.format.error.InvalidOptionException if it took effect in a history that a
   *     restore has undone
   */
  public Optional<CommitReceipt> rerun(StagedJob job, StageTarget target, PublishOrder order) {
    return switch (job.phase()) {
      case OPEN, DISCARDED -> {
        job.restart();
        yield Optional.empty();
      }
      case SEALED ->
          Optional.of(new Publisher(namespace, settings, rewriter).publish(job, target, order));
      case PUBLISHED -> {
        if (verifier().verify(job) instanceof Verdict.NotCommitted not) {
          throw JobErrors.undone(where(job), not.reason());
        }
        long version = job.version().orElseThrow();
        yield Optional.of(StoredReceipt.of(job, version, namespace.log(), store));
      }
      case PUBLISHING -> {
        finish(job);
        yield rerun(job, target, order);
      }
    };
  }

  /**
   * Gives a job up; its files may be deleted afterwards.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it took effect
   * @throws com.namidb.format.error.CommitUnknownException if that cannot be told
   * @throws com.namidb.format.error.StoreUnsafeException if commits on this store would not be safe
   */
  public void discard(StagedJob job) {
    requireSafe();
    if (settle(job) instanceof Verdict.Undecided undecided) {
      throw CommitErrors.unknown(where(job), undecided.reason(), null);
    }
    job.discard();
  }

  private void requireSafe() {
    ProvenStores.require(namespace.location().store(), store, paths().bulk());
  }

  private Where where(StagedJob job) {
    return new Where(paths().namespace(), null, paths().bulk(job.id()), job.id());
  }

  private NamespacePaths paths() {
    return namespace.location().paths();
  }
}
