package com.namidb.format.retention;

import com.namidb.format.commit.CommitSettings;
import com.namidb.format.commit.JobRecovery;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.RetentionErrors;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Pin;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.store.DeleteReport;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ProvenStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Deletes what nobody needs any more. Every method first makes a plan, which a dry run only shows;
 * then, in this order: the durable floor is raised, leases are listed again, files are deleted, and
 * last the manifests and job states that name them. Wherever it is cut off, every version that
 * stays is whole, and running it again finishes. Several may run at once. All but dry runs throw
 * {@link com.namidb.format.error.StoreUnsafeException} on a store that breaks its promises, before
 * anything is written. Source: manifest §6, protocol §7.
 *
 * <p>Never deleted: anything that a version from the horizon on names, or that the body of the next
 * version names; anything of a job that may still be published; anything younger than 24 hours by
 * the store's clock, unless that is allowed in words.
 */
public final class Sweeper {
  /** Versions kept if nothing else is asked for. */
  public static final int RETAIN_LAST = 20;

  /** Age at which files that no version names are orphans. */
  public static final Duration ORPHAN = Duration.ofDays(3);

  /** Age at which a job that was never published is given up. */
  public static final Duration ABANDONED = Duration.ofDays(7);

  /** How long states and receipts of published jobs are kept. */
  public static final Duration KEEP_PUBLISHED = Duration.ofDays(30);

  private final Namespace namespace;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final CommitSettings settings;
  private final StoreTime time;

  /**
   * Makes no request.
   *
   * @param store the namespace's store
   * @param settings their clock dates dry runs, and job states that change
   */
  public Sweeper(Namespace namespace, ObjectStore store, CommitSettings settings) {
    this.namespace = namespace;
    this.paths = namespace.location().paths();
    this.store = store;
    this.settings = settings;
    this.time = new StoreTime(paths, store, settings.clock());
  }

  /**
   * Collects old versions and the files that only they name.
   *
   * @param retainLast how many of the newest versions stay at least
   * @param age with a time, every moment from it on stays readable as well
   * @param dryRun whether nothing is written or deleted
   * @return what was deleted, or would be
   * @throws com.namidb.format.error.StoreException if a request failed; what stays is whole, run it
   *     again
   * @throws com.namidb.format.error.InvalidOptionException if an argument makes no sense
   */
  public SweepPlan expire(int retainLast, SweepAge age, boolean dryRun) {
    long now = begin(dryRun, "expire_snapshots");
    List<JobFolder> jobs = settled(dryRun);
    Expiry expiry = new Expiry(namespace, store, jobs, now);
    SweepPlan plan = expiry.plan(retainLast, age);
    if (dryRun || plan.doomed().isEmpty()) {
      return plan;
    }
    long horizon = plan.horizon().orElseThrow();
    History history = expiry.history();
    if (plan.doomed().stream().anyMatch(d -> d.version() != Doomed.NO_VERSION)) {
      history.stored().raiseFloor(horizon - 1, settings.clock().instant());
    }
    // Whoever takes a lease from here on reads the floor, and whoever took one before is listed.
    LiveSet fresh = new LiveSet(paths);
    history.catchUp(fresh);
    long limit = horizon;
    for (Pin pin : namespace.pins()) {
      if (Horizon.isLive(pin, now) && Long.compareUnsigned(pin.version(), limit) < 0) {
        limit = pin.version();
      }
    }
    long end = limit;
    List<Doomed> still =
        plan.doomed().stream()
            .filter(d -> !fresh.contains(d.object().key()))
            .filter(
                d -> d.version() == Doomed.NO_VERSION || Long.compareUnsigned(d.version(), end) < 0)
            .toList();
    List<String> notes = new ArrayList<>(plan.notes());
    if (end != horizon) {
      notes.add(
          "a lease on version "
              + Long.toUnsignedString(end)
              + " was taken meanwhile; it and later versions stay");
    }
    delete(still);
    return new SweepPlan(still, OptionalLong.of(end), notes);
  }

  /**
   * Deletes SSTs, sidecars and WAL segments that no version names and no job may still publish.
   *
   * @param age how long ago they must have been written; three days unless given
   * @param dryRun whether nothing is written or deleted
   * @return what was deleted, or would be
   * @throws com.namidb.format.error.StoreException if a request failed; run it again
   */
  public SweepPlan removeOrphans(SweepAge age, boolean dryRun) {
    long now = begin(dryRun, "remove_orphan_files");
    Orphans orphans = new Orphans(namespace, store, settled(dryRun));
    SweepPlan plan = orphans.plan(age.cutoffMillis(now, ORPHAN), age.allowUnsafe());
    return dryRun ? plan : deleteStill(plan, orphans.history());
  }

  /**
   * Gives up jobs that were never published, and deletes what jobs left that are over. A job that
   * may have taken effect is settled first; one that cannot be settled stays.
   *
   * @param age how long ago an unpublished job must have been touched last; seven days unless given
   * @param keepPublished how long states and receipts of published jobs are kept: as long, their
   *     job ids can be used again without a second commit
   * @param dryRun whether nothing is written or deleted
   * @return what was deleted, or would be
   * @throws com.namidb.format.error.StoreException if a request failed; run it again
   */
  public SweepPlan cleanStaging(SweepAge age, Duration keepPublished, boolean dryRun) {
    long now = begin(dryRun, "clean_staging");
    // How long a job has been idle is asked before settling it, which touches its state.
    List<JobFolder> jobs = settled(dryRun);
    History history = History.of(paths, store, namespace.log());
    LiveSet live = history.live(history.oldest());
    long unfinished = age.cutoffMillis(now, ABANDONED);
    long published = Math.min(now - keepPublished.toMillis(), age.hardMillis(now));
    Staging staging =
        new Staging(
            paths,
            live,
            new Staging.Cutoffs(unfinished, published, age.hardMillis(now)),
            new StalledWriters(history, age.allowUnsafe()));
    SweepPlan plan = staging.plan(jobs);
    if (dryRun) {
      return plan;
    }
    // Given up for good before the first file goes: from here on nobody can publish it.
    Set<String> touched = new HashSet<>();
    List<String> notes = new ArrayList<>(plan.notes());
    for (JobFolder folder : staging.abandoned()) {
      if (!folder.job().orElseThrow().discardUntouched()) {
        touched.add(paths.bulk(folder.name()));
        notes.add("job '" + folder.name() + "' stays: somebody works on it again");
      }
    }
    List<Doomed> over =
        plan.doomed().stream()
            .filter(d -> touched.stream().noneMatch(d.object().key()::startsWith))
            .toList();
    return deleteStill(new SweepPlan(over, plan.horizon(), notes), history);
  }

  /** The time of the sweep, on a store where the floor and the states of jobs can be relied on. */
  private long begin(boolean dryRun, String sweep) {
    if (!dryRun) {
      ProvenStores.require(namespace.location().store(), store, paths.bulk());
    }
    return time.now(dryRun, sweep);
  }

  private SweepPlan deleteStill(SweepPlan plan, History history) {
    LiveSet fresh = new LiveSet(paths);
    history.catchUp(fresh);
    List<Doomed> still =
        plan.doomed().stream().filter(d -> !fresh.contains(d.object().key())).toList();
    delete(still);
    return new SweepPlan(still, plan.horizon(), plan.notes());
  }

  /** In batches without an order of their own: what names other objects goes after all of them. */
  private void delete(List<Doomed> doomed) {
    int done = 0;
    for (boolean records : new boolean[] {false, true}) {
      List<String> keys =
          doomed.stream().filter(d -> d.isRecord() == records).map(d -> d.object().key()).toList();
      for (List<String> batch : ObjectStore.batches(keys)) {
        done += delete(batch, done, doomed.size());
      }
    }
  }

  private int delete(List<String> batch, int done, int all) {
    DeleteReport report;
    try {
      report = store.deleteAll(batch);
    } catch (NamiException e) {
      throw RetentionErrors.interrupted(paths.namespace(), batch.get(0), done, all, e);
    }
    int failed = report.failures().size();
    if (failed > 0) {
      DeleteReport.Failure first = report.failures().get(0);
      throw RetentionErrors.refused(
          paths.namespace(), first.key(), done + batch.size() - failed, all, first.reason());
    }
    return batch.size();
  }

  /** All job folders, those whose outcome was open settled as far as that is possible now. */
  private List<JobFolder> settled(boolean dryRun) {
    List<JobFolder> jobs = JobFolder.all(paths, store, settings.clock());
    JobRecovery recovery = new JobRecovery(namespace, store, settings);
    for (JobFolder folder : jobs) {
      if (!dryRun && folder.job().filter(j -> j.phase() == JobPhase.PUBLISHING).isPresent()) {
        recovery.settle(folder.job().get());
      }
    }
    return jobs;
  }
}
