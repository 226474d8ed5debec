package com.namidb.format.commit;

import com.namidb.format.log.Committed;
import com.namidb.format.log.ManifestLog;
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
    Committed committed = log.at(version);
    CommitReceipt receipt =
        new CommitReceipt(
            job.id(),
            job.operation(),
            version - 1,
            version,
            committed.ref().writerId(),
            Math.floorDiv(committed.ref().createdAtMicros(), 1000L),
            job.candidates(),
            List.of(),
            job.balance(),
            job.attempts().size(),
            List.of("written after the driver that committed had died"),
            job.quarantine());
    store.putIfAbsent(job.receiptKey(), receipt.toBytes());
    return receipt;
  }
}
