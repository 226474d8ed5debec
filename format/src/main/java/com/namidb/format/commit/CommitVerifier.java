package com.namidb.format.commit;

import com.namidb.format.log.Committed;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.stage.Attempt;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectStore;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Finds out from the history whether a job took effect: some version carries the writer id of one
 * of its attempts, or lists one of its files. Source: protocol §5.
 */
public final class CommitVerifier {
  /** No request of an attempt is under way any more after so long. */
  public static final Duration SETTLED = Duration.ofMinutes(10);

  private final ManifestLog log;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final Clock clock;

  /** Makes no request. */
  public CommitVerifier(ManifestLog log, NamespacePaths paths, ObjectStore store, Clock clock) {
    this.log = log;
    this.paths = paths;
    this.store = store;
    this.clock = clock;
  }

  /** Decides for a named job; changes nothing. One GET per version since its first attempt. */
  public Verdict verify(StagedJob job) {
    List<Attempt> attempts = job.attempts();
    if (job.version().isPresent()) {
      Traces traces = Traces.of(attempts);
      return standing(
          job.version().getAsLong(), m -> attempts.isEmpty() || traces.isOwn(m) || traces.lists(m));
    }
    if (attempts.isEmpty()) {
      return new Verdict.NotCommitted("no attempt to publish was begun");
    }
    Verdict verdict = verify(attempts);
    // Its driver may have been taken for dead, and have gone on.
    if (job.phase() != JobPhase.PUBLISHING && !(verdict instanceof Verdict.CommittedAt)) {
      return new Verdict.NotCommitted(
          "it is " + job.phase() + ": all of its attempts were certainly lost");
    }
    Long recorded =
        verdict instanceof Verdict.Undecided ? log.current().manifest().jobs().get(job.id()) : null;
    return recorded == null ? verdict : new Verdict.CommittedAt(recorded);
  }

  /**
   * Decides for a job that has no state object, by its receipt and by the folder of the files that
   * the current version lists.
   *
   * @param jobId name or random id of the job
   */
  public Verdict verify(String jobId) {
    Optional<CommitReceipt> receipt = CommitReceipt.stored(store, paths, jobId);
    String folder = "bulk/" + jobId + "/";
    if (receipt.isPresent()) {
      String writer = receipt.get().writer();
      return standing(
          receipt.get().version(), m -> m.writerId().equals(writer) || listsBelow(m, folder));
    }
    Committed current = log.current();
    Long recorded = current.manifest().jobs().get(jobId);
    if (recorded != null) {
      return new Verdict.CommittedAt(recorded);
    }
    Optional<Committed> version = Optional.of(current);
    Long found = null;
    while (version.isPresent() && listsBelow(version.get().manifest(), folder)) {
      found = version.get().ref().version();
      version = found == 0 ? Optional.empty() : log.find(found - 1);
    }
    return found != null
        ? new Verdict.CommittedAt(found)
        : new Verdict.Undecided(
            "no such job is known here: there is neither state nor receipt of it, and version "
                + Long.toUnsignedString(current.ref().version())
                + " lists none of its files. "
                + (leftovers(store, paths, jobId)
                    ? "Files of it lie below " + folder + ": it is still running, or was stopped"
                    : "It never staged a row under this name, or they were cleaned up")
                + "; only if its receipt was lost and its files were compacted since, it did publish");
  }

  /**
   * A job took effect as a version, unless the graph was restored to an older one since. Of an
   * expired version nobody can tell, and nobody restores that.
   */
  private Verdict standing(long version, Predicate<Manifest> own) {
    Committed current = log.current();
    long top = current.ref().version();
    String was = "it took effect as version " + Long.toUnsignedString(version);
    if (Long.compareUnsigned(version, top) > 0) {
      return new Verdict.NotCommitted(
          was
              + ", but the graph was restored since and is at version "
              + Long.toUnsignedString(top));
    }
    Optional<Committed> its = version == top ? Optional.of(current) : log.find(version);
    return its.isPresent() && !own.test(its.get().manifest()) && !isCollected(version, top)
        ? new Verdict.NotCommitted(
            was + ", but the graph was restored since and that version is another commit now")
        : new Verdict.CommittedAt(version);
  }

  /**
   * What stands at such a number is what a stalled writer put into the place that was free again.
   */
  private boolean isCollected(long version, long top) {
    return log.stored().floor().filter(f -> f.covers(version)).isPresent()
        || (Long.compareUnsigned(version, top) < 0 && log.find(version + 1).isEmpty());
  }

  private static boolean listsBelow(Manifest manifest, String folder) {
    return manifest.ssts().stream().anyMatch(s -> s.path().startsWith(folder));
  }

  /**
   * Whether anything lies in the folder of a job; one LIST.
   *
   * @param jobId name or random id of the job
   */
  public static boolean leftovers(ObjectStore store, NamespacePaths paths, String jobId) {
    return !store.list(paths.bulk(jobId), Optional.empty()).objects().isEmpty();
  }

  /** Decides for attempts; at least one. */
  public Verdict verify(List<Attempt> attempts) {
    Traces traces = Traces.of(attempts);
    long first = attempts.get(0).baseVersion();
    for (Attempt a : attempts) {
      first = Long.compareUnsigned(a.baseVersion(), first) < 0 ? a.baseVersion() : first;
    }
    Committed current = log.current();
    long top = current.ref().version();
    // A request on an older base finds its place taken, whenever it arrives.
    long youngest = 0;
    for (Attempt a : attempts) {
      if (Long.compareUnsigned(a.baseVersion(), top) >= 0) {
        youngest = Math.max(youngest, a.startedMillis());
      }
    }
    Long gone = null;
    // Newest first: files stay listed for a while, so a hit comes early.
    for (long v = top; Long.compareUnsigned(v, first) > 0; v--) {
      Optional<Committed> version = v == top ? Optional.of(current) : log.find(v);
      if (version.isEmpty()) {
        gone = v;
        break;
      }
      if (traces.isOwn(version.get().manifest())) {
        return new Verdict.CommittedAt(v);
      }
      if (traces.lists(version.get().manifest())) {
        return new Verdict.CommittedAt(firstListing(v, first, traces));
      }
    }
    if (gone != null) {
      return new Verdict.Undecided(
          "version " + Long.toUnsignedString(gone) + " is collected and may have been this job's");
    }
    if (waiting(top + 1, traces).isPresent()) {
      return new Verdict.Undecided(
          "its body of version "
              + Long.toUnsignedString(top + 1)
              + " is in place without pointer; a rerun of the job or the next opening by the engine"
              + " publishes it");
    }
    if (clock.millis() - youngest < SETTLED.toMillis()) {
      return new Verdict.Undecided("its last request may be under way; ask again in ten minutes");
    }
    return new Verdict.NotCommitted(
        "no version from "
            + Long.toUnsignedString(first + 1)
            + " to "
            + Long.toUnsignedString(top)
            + " is of this job");
  }

  /** The oldest version that lists the files, walking down from one that does. */
  private long firstListing(long from, long first, Traces traces) {
    long found = from;
    for (long v = from - 1; Long.compareUnsigned(v, first) > 0; v--) {
      Optional<Committed> version = log.find(v);
      if (version.isEmpty() || !traces.lists(version.get().manifest())) {
        break;
      }
      found = v;
    }
    return found;
  }

  /** The job's body of the version after {@code top}, if one is in place. */
  Optional<Manifest> waiting(StagedJob job, long top) {
    return waiting(top + 1, Traces.of(job.attempts()));
  }

  private Optional<Manifest> waiting(long version, Traces traces) {
    return log.unfinished(version).filter(traces::isOwn);
  }

  private record Traces(Set<String> writers, Set<UUID> ssts) {
    static Traces of(List<Attempt> attempts) {
      Set<String> writers = new HashSet<>();
      Set<UUID> ssts = new HashSet<>();
      for (Attempt a : attempts) {
        writers.add(a.writer().toString());
        ssts.addAll(a.ssts());
      }
      return new Traces(writers, ssts);
    }

    boolean isOwn(Manifest manifest) {
      return writers.contains(manifest.writerId());
    }

    boolean lists(Manifest manifest) {
      return manifest.ssts().stream().map(SstDescriptor::id).anyMatch(ssts::contains);
    }
  }
}
