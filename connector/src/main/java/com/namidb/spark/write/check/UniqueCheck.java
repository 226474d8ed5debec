package com.namidb.spark.write.check;

import com.namidb.format.commit.PublishCheck;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import java.util.List;

/** Names staged nodes that break a uniqueness rule of the version to be committed on. */
public final class UniqueCheck implements PublishCheck {
  private static final int SHOWN = 6;

  private final UniqueRejects rejects;

  /**
   * Prepares the check.
   *
   * @param config for tasks
   * @param store for planning; stays owned by the caller
   */
  public UniqueCheck(StoreConfig config, NamespacePaths paths, ObjectStore store) {
    rejects = new UniqueRejects(new StoreJobs(config), paths, store);
  }

  @Override
  public List<String> problems(Snapshot base, StagedJob job) {
    List<CandidateFile> nodes = nodes(job);
    List<UniqueRule> broken = UniqueRejects.rules(base, nodes);
    return broken.isEmpty()
        ? List.of()
        : rejects.find(base, nodes, broken).take(SHOWN).stream()
            .map(Reject::of)
            .map(r -> r.row(false) + ": " + r.reason(false).getMessage())
            .toList();
  }

  /** The candidates whose values are compared. */
  static List<CandidateFile> nodes(StagedJob job) {
    return job.candidates().stream().filter(f -> f.sst().kind() == SstKind.NODES).toList();
  }
}
