package com.namidb.format.log;

import com.namidb.format.error.NamiException;
import java.util.ArrayList;
import java.util.List;

/** What became of a publication: never guessed. */
public sealed interface PublishResult {
  /**
   * A published version contains exactly what was given.
   *
   * @param ref its name
   * @param warnings what failed afterwards without consequence
   */
  record Committed(ManifestRef ref, List<String> warnings) implements PublishResult {
    /** Copies the list. */
    public Committed {
      warnings = new ArrayList<>(warnings);
    }
  }

  /**
   * Not committed and never will be.
   *
   * @param winner the newest version known to stand in its place
   */
  record Lost(long winner) implements PublishResult {}

  /**
   * Not committed: a body of another writer without pointer holds the place.
   *
   * @param version the blocked version
   */
  record Stalled(long version) implements PublishResult {}

  /**
   * Not committed and never will be: the store or the namespace is at fault, not another writer.
   *
   * @param reason what is wrong
   */
  record Failed(NamiException reason) implements PublishResult {}

  /**
   * Could not be found out.
   *
   * @param evidence what was seen
   */
  record Unknown(String evidence) implements PublishResult {}
}
