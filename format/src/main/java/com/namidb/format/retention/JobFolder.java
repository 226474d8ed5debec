package com.namidb.format.retention;

import com.namidb.format.error.NamiException;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.stage.Attempt;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one job left below {@code bulk/}.
 *
 * @param name its folder
 * @param objects everything in it
 * @param job its state, empty if it has none, or none that can be read
 * @param readable whether its state could be read if there is one
 */
record JobFolder(String name, List<ObjectMeta> objects, Optional<StagedJob> job, boolean readable) {
  private static final Logger LOG = LoggerFactory.getLogger(JobFolder.class);
  static final String STATE = "state.json";
  static final String RECEIPT = "receipt.json";

  /** All folders by name: a listing, and one GET for each that holds a state. */
  static List<JobFolder> all(NamespacePaths paths, ObjectStore store, Clock clock) {
    Map<String, List<ObjectMeta>> byName = new TreeMap<>();
    for (ObjectMeta meta : store.listAll(paths.bulk())) {
      String rest = meta.key().substring(paths.bulk().length());
      int slash = rest.indexOf('/');
      // What is directly below belongs to no job: the floor, the mark of sweeps.
      if (slash > 0) {
        byName.computeIfAbsent(rest.substring(0, slash), n -> new ArrayList<>()).add(meta);
      }
    }
    List<JobFolder> out = new ArrayList<>();
    byName.forEach((name, objects) -> out.add(of(paths, store, clock, name, objects)));
    return out;
  }

  private static JobFolder of(
      NamespacePaths paths, ObjectStore store, Clock clock, String name, List<ObjectMeta> objects) {
    String key = paths.bulk(name) + STATE;
    if (objects.stream().noneMatch(o -> o.key().equals(key))) {
      return new JobFolder(name, objects, Optional.empty(), true);
    }
    try {
      Optional<StagedJob> job = StagedJob.find(paths, store, name, clock);
      return new JobFolder(name, objects, job, true);
    } catch (NamiException e) {
      // Nobody knows what it stands for: it is left alone altogether.
      return new JobFolder(name, objects, Optional.empty(), false);
    }
  }

  /** Whether its rows may still be published: nothing of it may go then. */
  boolean isUnfinished() {
    return !readable
        || job.map(StagedJob::phase)
            .filter(p -> p != JobPhase.PUBLISHED && p != JobPhase.DISCARDED)
            .isPresent();
  }

  /** Whether it is of a write without a name that left no receipt. */
  boolean isNeverDone() {
    return readable && job.isEmpty() && object(RECEIPT).isEmpty();
  }

  /** One of its objects. */
  Optional<ObjectMeta> object(String file) {
    return objects.stream().filter(o -> o.key().endsWith("/" + name + "/" + file)).findFirst();
  }

  /** When anything of it was last written, by the store's clock. */
  long modifiedMillis() {
    return objects.stream().mapToLong(ObjectMeta::modifiedMillis).max().orElse(0);
  }

  /**
   * The oldest version that publishing it may have to look at: those it was planned on, for
   * conflicts, and those its attempts stood on, to tell what became of them. One GET per part.
   */
  OptionalLong needs() {
    if (!isUnfinished() || job.isEmpty()) {
      return OptionalLong.empty();
    }
    List<Long> versions = new ArrayList<>();
    job.get().plan().ifPresent(plan -> versions.add(plan.baseVersion()));
    job.get().attempts().stream().map(Attempt::baseVersion).forEach(versions::add);
    try {
      for (StagedPart part : job.get().preview().parts()) {
        if (!part.rules().readWriter().isEmpty()) {
          versions.add(part.rules().readVersion());
        }
      }
    } catch (NamiException e) {
      // A report is lost: nobody can publish the job, but it may still have to be settled.
      LOG.warn("A report of job {} cannot be read", name, e);
    }
    return versions.stream()
        .min(Long::compareUnsigned)
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }
}
