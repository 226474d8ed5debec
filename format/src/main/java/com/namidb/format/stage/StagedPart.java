package com.namidb.format.stage;

import java.util.List;

/**
 * What one write staged.
 *
 * @param files its candidates
 * @param balance its rows
 * @param rules what must hold for them when they are published
 * @param quarantine rows it set aside
 */
public record StagedPart(
    List<CandidateFile> files, Balance balance, PartRules rules, QuarantineReport quarantine) {
  /** Copies. */
  public StagedPart {
    files = List.copyOf(files);
  }

  /** The same rows in other files. */
  public StagedPart in(List<CandidateFile> others) {
    return new StagedPart(others, balance, rules, quarantine);
  }
}
