package com.namidb.format.commit;

import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StageTarget;
import java.util.List;

/** Writes candidates again, here or on many machines. */
@FunctionalInterface
public interface FileRewriter {
  /** In this process, one after the other. */
  FileRewriter HERE = (target, files, order) -> order.run(target, files);

  /**
   * The same rows in new files.
   *
   * @param target where the files are and the new ones go
   */
  List<CandidateFile> rewrite(StageTarget target, List<CandidateFile> files, RewriteOrder order);
}
