package com.namidb.format.log;

/**
 * The newest version, when it was so for sure, and whether it was above the version floor.
 *
 * @param nanos {@link CommitTiming#nanos} before it was asked for
 * @param hintEtag tag of the advisory copy that names it, else {@code null}
 * @param above whether it was above the floor
 */
record HeldVersion(Committed committed, long nanos, String hintEtag, boolean above) {
  boolean is(Committed other) {
    return committed.ref().equals(other.ref());
  }

  boolean isAbove(long version) {
    return Long.compareUnsigned(committed.ref().version(), version) > 0;
  }

  /** Whether this cannot be a version of the history whose newest one was found later. */
  boolean isBeyond(Committed later) {
    long version = later.ref().version();
    return isAbove(version) || (committed.ref().version() == version && !is(later));
  }
}
