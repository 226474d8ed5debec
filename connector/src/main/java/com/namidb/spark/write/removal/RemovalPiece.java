package com.namidb.spark.write.removal;

import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StageTarget;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A part of the graph from which rows go: one task. Stages their tombstones. */
interface RemovalPiece extends Serializable {
  /** Problems a piece names at most. */
  int SHOWN = 6;

  /** Memory for sorting keys, before they go to local files. */
  int SORT_BYTES = 32 << 20;

  /** Runs it; may be repeated, every time under fresh names. */
  Outcome run(RemovalScope scope, StageTarget target);

  /**
   * What a piece did.
   *
   * @param files complete files
   * @param problems why the rows must not go, each with its key
   */
  record Outcome(List<CandidateFile> files, List<String> problems) implements Serializable {
    public Outcome {
      files = new ArrayList<>(files);
      problems = new ArrayList<>(problems);
    }
  }
}
