package com.namidb.format.retention;

import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.retention.Doomed.Kind;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Folders of jobs that are over: given up, published long ago, or never finished. A job whose
 * outcome is unknown stays whatever its age. Source: protocol §2, §7.
 */
final class Staging {
  private final NamespacePaths paths;
  private final LiveSet live;
  private final Cutoffs cutoffs;
  private final StalledWriters stalled;
  private final List<String> notes = new ArrayList<>();
  private final List<JobFolder> abandoned = new ArrayList<>();
  private final List<Doomed> doomed = new ArrayList<>();

  /**
   * Before which times things are over, by the store's clock.
   *
   * @param unfinished for jobs that were not published
   * @param published for states and receipts of published ones
   * @param hard for everything
   */
  record Cutoffs(long unfinished, long published, long hard) {}

  Staging(NamespacePaths paths, LiveSet live, Cutoffs cutoffs, StalledWriters stalled) {
    this.paths = paths;
    this.live = live;
    this.cutoffs = cutoffs;
    this.stalled = stalled;
  }

  /** Jobs to give up before their files go. */
  List<JobFolder> abandoned() {
    return abandoned;
  }

  SweepPlan plan(List<JobFolder> jobs) {
    jobs.forEach(this::consider);
    return new SweepPlan(doomed, OptionalLong.empty(), notes);
  }

  private void consider(JobFolder folder) {
    if (!folder.readable()) {
      notes.add("job '" + folder.name() + "' stays: its state cannot be read");
      return;
    }
    if (!StagedJob.isName(folder.name())) {
      notes.add("'" + folder.name() + "' stays: it is no job's folder");
      return;
    }
    if (folder.isNeverDone()) {
      if (folder.modifiedMillis() <= cutoffs.unfinished()
          && stalled.maySleep(folder.modifiedMillis())) {
        notes.add(StalledWriters.note(folder.name()));
      } else {
        whole(folder, cutoffs.unfinished(), "belongs to a write that never finished");
      }
      return;
    }
    if (folder.job().isEmpty()) {
      whole(folder, cutoffs.published(), "was published long ago");
      return;
    }
    JobPhase phase = folder.job().get().phase();
    switch (phase) {
      case PUBLISHED -> whole(folder, cutoffs.published(), "was published long ago");
      case DISCARDED -> {
        if (stalled.maySleep(folder.job().get())) {
          notes.add(StalledWriters.note(folder.name()));
          return;
        }
        files(folder, "was given up");
        if (stateMillis(folder) <= cutoffs.published()) {
          state(folder, "was given up long ago");
        }
      }
      case OPEN, SEALED -> {
        if (stateMillis(folder) > cutoffs.unfinished()) {
          return;
        }
        if (stalled.maySleep(folder.job().get())) {
          notes.add(StalledWriters.note(folder.name()));
        } else {
          abandoned.add(folder);
          notes.add("job '" + folder.name() + "' is " + phase + " for too long and is given up");
          files(folder, "was staged and never published");
        }
      }
      case PUBLISHING ->
          notes.add(
              "job '"
                  + folder.name()
                  + "' stays: whether it took effect cannot be told; ask verify_commit again");
    }
  }

  /** Everything or nothing: a receipt proves files, and tells a rerun that they are published. */
  private void whole(JobFolder folder, long cutoff, String why) {
    if (folder.modifiedMillis() > cutoff || live.containsBelow(paths.bulk(folder.name()))) {
      return;
    }
    files(folder, "its job " + why);
    state(folder, "its job " + why);
  }

  private void files(JobFolder folder, String why) {
    String state = paths.bulk(folder.name()) + JobFolder.STATE;
    folder.objects().stream()
        .filter(o -> !o.key().equals(state))
        .filter(o -> o.modifiedMillis() <= cutoffs.hard() && !live.contains(o.key()))
        .sorted(Comparator.comparing(ObjectMeta::key))
        .forEach(o -> doomed.add(new Doomed(kind(o.key()), o, Doomed.NO_VERSION, why)));
  }

  /** Last, so that a deletion cut off is found again. */
  private void state(JobFolder folder, String why) {
    boolean all =
        folder.objects().stream()
            .allMatch(o -> o.modifiedMillis() <= cutoffs.hard() && !live.contains(o.key()));
    if (all) {
      folder
          .object(JobFolder.STATE)
          .ifPresent(o -> doomed.add(new Doomed(Kind.JOB, o, Doomed.NO_VERSION, why)));
    }
  }

  private static Kind kind(String key) {
    boolean nodes = key.endsWith(".parquet") && !key.contains("/quarantine/");
    return nodes || key.endsWith(".csr") ? Kind.FILE : Kind.JOB;
  }

  private static long stateMillis(JobFolder folder) {
    return folder.object(JobFolder.STATE).map(ObjectMeta::modifiedMillis).orElse(Long.MAX_VALUE);
  }
}
