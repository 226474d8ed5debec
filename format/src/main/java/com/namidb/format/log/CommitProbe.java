package com.namidb.format.log;

/** Told of every step before it is taken, so that tests can stop a process anywhere. */
@FunctionalInterface
public interface CommitProbe {
  /** Does nothing. */
  CommitProbe NONE = state -> {};

  /** The step about to be taken; whatever this throws ends the publication there. */
  void at(CommitState state);
}
