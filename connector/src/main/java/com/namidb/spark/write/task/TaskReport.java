package com.namidb.spark.write.task;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.QuarantineReport;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a task staged.
 *
 * @param files complete files
 * @param balance where its rows went
 * @param accepted digest of the keys of the rows it accepted, taken before they were sorted
 * @param quarantine rows it set aside
 * @param kept original rows of what it staged, where a later check may want them
 */
public record TaskReport(
    List<CandidateFile> files,
    Balance balance,
    KeyDigest accepted,
    QuarantineReport quarantine,
    List<KeptFile> kept)
    implements Serializable {
  /** Copies the lists, so that they can be sent. */
  public TaskReport {
    files = new ArrayList<>(files);
    kept = new ArrayList<>(kept);
  }

  /** Digest of the keys in its files, each edge once. */
  public KeyDigest staged() {
    return files.stream()
        .filter(f -> f.sst().kind() != SstKind.EDGES_INV)
        .map(CandidateFile::digest)
        .reduce(KeyDigest.EMPTY, KeyDigest::plus);
  }

  /** What is wrong if the files do not hold exactly the accepted rows. */
  public Optional<String> problem() {
    boolean exact = balance.holds() && balance.accepted() == accepted.count();
    return exact && staged().equals(accepted)
        ? Optional.empty()
        : Optional.of(
            BrokenRule.LOST.by("")
                + ": "
                + balance
                + "; digest of the accepted keys "
                + accepted.text()
                + ", of the staged ones "
                + staged().text());
  }
}
