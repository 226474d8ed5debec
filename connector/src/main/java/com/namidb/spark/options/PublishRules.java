package com.namidb.spark.options;

import com.namidb.format.commit.Isolation;

/**
 * What must hold before a write becomes visible, and how it is tried.
 *
 * @param checkEnds whether both ends of edges must exist
 * @param checkIncident whether deleted nodes must have no edges
 * @param isolation which changes of others are conflicts
 * @param retireSearch whether nodes may be written beside vector and text indexes
 * @param retries further attempts after a lost race
 * @param expectedRows rows the job must write, negative for any number
 * @param expectedChecksum digest of the keys it must write, empty for any
 * @param fileBytes bytes of properties per file, before compression
 * @param removal what goes along with nodes that go
 */
public record PublishRules(
    boolean checkEnds,
    boolean checkIncident,
    Isolation isolation,
    boolean retireSearch,
    int retries,
    long expectedRows,
    String expectedChecksum,
    long fileBytes,
    Removal removal) {
  /** The same with another isolation. */
  PublishRules under(Isolation other) {
    return new PublishRules(
        checkEnds,
        checkIncident,
        other,
        retireSearch,
        retries,
        expectedRows,
        expectedChecksum,
        fileBytes,
        removal);
  }

  /**
   * What goes along with nodes that go.
   *
   * @param detach whether their edges are deleted with them
   * @param multiLabel whether nodes go that are in other tables too
   */
  public record Removal(boolean detach, boolean multiLabel) {
    /** Nothing. */
    public static final Removal NONE = new Removal(false, false);
  }
}
