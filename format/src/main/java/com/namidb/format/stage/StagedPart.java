package com.namidb.format.stage;

import com.namidb.format.manifest.SstKind;
import java.util.List;

/**
 * What one write staged.
 *
 * @param files its candidates: the rows it was given, and tombstones of what goes along with them
 * @param balance the rows it was given
 * @param rules what must hold for them when they are published
 * @param quarantine rows it set aside
 * @param aside rows that may be set aside when it is published
 */
public record StagedPart(
    List<CandidateFile> files,
    Balance balance,
    PartRules rules,
    QuarantineReport quarantine,
    AsideRules aside) {
  /** Copies. */
  public StagedPart {
    files = List.copyOf(files);
  }

  /** The same rows in other files. */
  public StagedPart in(List<CandidateFile> others) {
    return new StagedPart(others, balance, rules, quarantine, aside);
  }

  /**
   * What is left when rows were set aside.
   *
   * @param rows how many were
   * @param more where these are
   */
  public StagedPart without(
      long rows, List<CandidateFile> left, QuarantineReport more, AsideRules still) {
    Balance b = balance;
    Balance after = new Balance(b.source(), b.accepted() - rows, b.quarantined() + rows);
    return new StagedPart(left, after, rules, quarantine.plus(more), still);
  }

  /**
   * Digest of the keys it was given and accepted, each edge once: without the old content of an
   * overwritten table and the edges of deleted nodes, which nobody gave.
   */
  public KeyDigest digest() {
    return files.stream()
        .filter(this::isGiven)
        .map(CandidateFile::digest)
        .reduce(KeyDigest.EMPTY, KeyDigest::plus);
  }

  private boolean isGiven(CandidateFile f) {
    if (f.sst().kind() != (rules.table().edges() ? SstKind.EDGES_FWD : SstKind.NODES)) {
      return false;
    }
    boolean deletes = f.sst().counts().tombstones() == f.sst().counts().rows();
    return deletes == (rules.rows() == PartRules.Rows.DELETE);
  }
}
