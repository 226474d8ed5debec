package com.namidb.format.commit;

import com.namidb.format.error.SnapshotGoneException;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.log.ManifestRef;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.util.List;
import java.util.Optional;

/** The proof of a job that took effect earlier. */
final class StoredReceipt {
  private StoredReceipt() {}

  /** The stored one, or one made from the history if the driver died before it wrote it. */
  static CommitReceipt of(StagedJob job, long version, ManifestLog log, ObjectStore store) {
    Optional<StoredObject> stored = store.get(job.receiptKey());
    if (stored.isPresent()) {
      return CommitReceipt.parse(job.receiptKey(), stored.get().bytes());
    }
    Origin origin = origin(job, version, log);
    CommitReceipt receipt =
        new CommitReceipt(
            job.id(),
            job.operation(),
            version - 1,
            version,
            origin.writer,
            origin.millis,
            job.candidates(),
            List.of(),
            job.balance(),
            job.attempts().size(),
            List.of("written after the driver that committed had died"),
            job.quarantine());
    store.putIfAbsent(job.receiptKey(), receipt.toBytes());
    return receipt;
  }

  /** Who committed a version, and when. */
  private record Origin(String writer, long millis) {}

  /** As the version says; once it is expired, as the job recorded the attempt it came from. */
  private static Origin origin(StagedJob job, long version, ManifestLog log) {
    try {
      ManifestRef ref = log.at(version).ref();
      return new Origin(ref.writerId(), Math.floorDiv(ref.createdAtMicros(), 1000L));
    } catch (SnapshotGoneException e) {
      return job.attempts().stream()
          .filter(a -> a.baseVersion() == version - 1)
          .reduce((earlier, later) -> later)
          .map(a -> new Origin(a.writer().toString(), a.startedMillis()))
          .orElseThrow(() -> e);
    }
  }
}
