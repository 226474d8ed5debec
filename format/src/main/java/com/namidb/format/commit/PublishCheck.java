package com.namidb.format.commit;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.StagedJob;
import java.util.List;

/** A rule that staged rows must satisfy on the version they are committed on. */
@FunctionalInterface
public interface PublishCheck {
  /**
   * Looks for violations; called again for every new base.
   *
   * @param base version to be committed on
   * @param job sealed
   * @return what is wrong, each with its key; empty if nothing is
   */
  List<String> problems(Snapshot base, StagedJob job);
}
