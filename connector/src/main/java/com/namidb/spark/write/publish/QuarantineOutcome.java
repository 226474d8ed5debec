package com.namidb.spark.write.publish;

import com.namidb.format.error.NamiException;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.snapshot.Location;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.write.quarantine.QuarantineWriter;
import com.namidb.spark.write.task.StagedObjects;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what a finished job set aside, and removes what nobody needs any more.
 *
 * @param location the namespace
 * @param store of the namespace; stays owned by the caller
 * @param job the job
 * @param leftovers keys of replaced candidates and of kept rows
 */
record QuarantineOutcome(
    Location location, ObjectStore store, StagedJob job, List<String> leftovers) {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineOutcome.class);
  private static final int SHOWN = 5;

  /**
   * Logs one line if a row was set aside.
   *
   * @param version what was committed, empty if every row was set aside
   */
  void tell(Optional<Long> version) {
    leftovers.forEach(key -> StagedObjects.delete(store, key));
    QuarantineReport report = job.quarantine();
    if (report.rows() == 0) {
      return;
    }
    removeStrays(report);
    LOG.warn(
        "{} of job {} of '{}': {}; the quarantined rows are in {}: {}",
        version.map(v -> "Version " + Long.toUnsignedString(v)).orElse("Nothing was committed"),
        job.id(),
        location.paths().namespace(),
        job.balance(),
        location.store() + "/" + folder(location.paths(), job.id()),
        report.top(SHOWN));
  }

  private static String folder(NamespacePaths paths, String job) {
    return paths.bulk(job) + QuarantineWriter.FOLDER + "/";
  }

  /** Files of attempts that lost, so that the folder reads as the report says: one LIST. */
  private void removeStrays(QuarantineReport report) {
    NamespacePaths paths = location.paths();
    Set<String> ours =
        report.files().stream().map(f -> paths.object(f.path())).collect(Collectors.toSet());
    try {
      store.listAll(folder(paths, job.id())).stream()
          .map(ObjectMeta::key)
          .filter(key -> !ours.contains(key))
          .forEach(key -> StagedObjects.delete(store, key));
    } catch (NamiException e) {
      LOG.info("Files of failed attempts may stay in quarantine: {}", e.getMessage());
    }
  }
}
