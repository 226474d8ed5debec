package com.namidb.format.log;

/** The steps of publishing a version; {@code docs/commit-states.md} draws the moves. R13. */
public enum CommitState {
  /** Is the base young enough that a free place really means that nobody committed? */
  CHECK_AGE,
  /** Create the body. */
  PUT_BODY,
  /** Read what stands at the body's place. */
  SETTLE_BODY,
  /** A body of another writer without pointer: wait for its pointer. */
  AWAIT_POINTER,
  /** Create the pointer: from here on the version is committed. */
  PUT_POINTER,
  /** Read what stands at the pointer's place. */
  SETTLE_POINTER,
  /** Replace the advisory copy. */
  PUT_HINT,
  /** Read why the advisory copy could not be replaced. */
  SETTLE_HINT,
  /** Finished, whatever came out. */
  DONE
}
