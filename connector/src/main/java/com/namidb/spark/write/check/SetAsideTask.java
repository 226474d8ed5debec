package com.namidb.spark.write.check;

import com.namidb.format.commit.CandidateRewrite;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.spark.write.quarantine.KeptRowsReader;
import com.namidb.spark.write.quarantine.QuarantineWriter;
import com.namidb.spark.write.row.OriginalRows;
import com.namidb.spark.write.task.JavaBytes;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Takes the rejected rows out of candidates: the candidates are written again without them, and the
 * original rows go to a quarantine file. Rejects, candidate and kept rows have one order, so all
 * three are gone through once, together.
 */
final class SetAsideTask extends Pulled<byte[]> {
  private final SetAsidePlan plan;
  private final Iterator<byte[]> rejects;
  private Reject next;

  /**
   * What became of one candidate.
   *
   * @param item its position
   * @param files what replaces it, nothing if no row stays
   * @param removed digest of the keys of the rows set aside
   * @param quarantine where these are
   */
  record Outcome(
      int item, List<CandidateFile> files, KeyDigest removed, QuarantineReport quarantine)
      implements Serializable {
    Outcome {
      files = new ArrayList<>(files);
    }
  }

  /**
   * Prepares it.
   *
   * @param rejects sorted by file and key
   */
  SetAsideTask(SetAsidePlan plan, Iterator<byte[]> rejects) {
    this.plan = plan;
    this.rejects = rejects;
    advance();
  }

  private void advance() {
    next = rejects.hasNext() ? Reject.of(rejects.next()) : null;
  }

  @Override
  byte[] pull() {
    if (next == null) {
      return null;
    }
    Path folder;
    try {
      folder = Files.createTempDirectory("namidb-aside");
    } catch (IOException e) {
      throw StoreErrors.failed("make a temporary directory", null, e);
    }
    try (ObjectStore store = StoreOpener.open(plan.store())) {
      return JavaBytes.of(run(store, new StageTarget(store, plan.paths(), plan.job(), folder)));
    } finally {
      folder.toFile().delete();
    }
  }

  private Outcome run(ObjectStore store, StageTarget target) {
    int item = next.file();
    CandidateFile file = plan.items().get(item).file();
    boolean edges = file.sst().kind() != SstKind.NODES;
    KeyDigest.Builder removed = new KeyDigest.Builder();
    OriginalRows originals = new OriginalRows(plan.rows());
    try (KeptRowsReader kept =
            new KeptRowsReader(store, plan.paths().object(plan.items().get(item).kept()));
        QuarantineWriter quarantine =
            new QuarantineWriter(target, plan.rows(), QuarantineWriter.FOLDER)) {
      List<CandidateFile> files =
          CandidateRewrite.filtered(
              target,
              plan.schema(),
              plan.labels(),
              file,
              (hi, lo, hi2, lo2) -> {
                if (!rejected(item, hi, lo, hi2, lo2)) {
                  return true;
                }
                quarantine.add(originals.row(row(kept, next)), next.reason(edges));
                if (edges) {
                  removed.add(hi, lo, hi2, lo2);
                } else {
                  removed.add(hi, lo);
                }
                return false;
              });
      while (next != null && next.file() == item) {
        advance();
      }
      return new Outcome(item, files, removed.build(), quarantine.finish());
    }
  }

  private boolean rejected(int item, long hi, long lo, long hi2, long lo2) {
    while (next != null && next.file() == item && next.compareKey(hi, lo, hi2, lo2) < 0) {
      advance();
    }
    return next != null && next.file() == item && next.compareKey(hi, lo, hi2, lo2) == 0;
  }

  private static byte[] row(KeptRowsReader kept, Reject reject) {
    while (kept.next()) {
      if (kept.first().equals(reject.first()) && kept.second().equals(reject.second())) {
        return kept.row();
      }
    }
    throw new IllegalStateException("a staged row was not kept: " + reject);
  }
}
