package com.namidb.format.commit;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import java.util.List;

/** Compares the winners of the job's keys in two versions; the answer may take a Spark job. */
@FunctionalInterface
public interface WinnerLookup {
  /**
   * Keys of the files whose winner (its LSN, or that there is none) differs between two versions.
   *
   * @param read version the job read
   * @param base version to be committed on
   * @param files the job's candidates
   * @param limit most keys to name
   */
  List<String> changedKeys(Snapshot read, Snapshot base, List<CandidateFile> files, int limit);
}
