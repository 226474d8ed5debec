package com.namidb.format.log;

import com.namidb.format.manifest.Layout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The steps of publishing a version; {@code docs/commit-states.md} draws the moves. R13,
 * single-object manifest.
 */
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
  /** Create the archive of the base, which is about to be replaced. */
  PUT_ARCHIVE,
  /** Read what stands at the archive's place. */
  SETTLE_ARCHIVE,
  /** Replace the manifest if it is the base: from here on the version is committed. */
  REPLACE_MANIFEST,
  /** Read what the manifest is now. */
  SETTLE_MANIFEST,
  /** Finished, whatever came out. */
  DONE;

  private static final Set<CommitState> SINGLE_OBJECT =
      Set.of(PUT_ARCHIVE, SETTLE_ARCHIVE, REPLACE_MANIFEST, SETTLE_MANIFEST);

  /** The steps that a publication in this layout may take, in order. */
  public static List<CommitState> of(Layout layout) {
    return Arrays.stream(values())
        .filter(
            s ->
                s == CHECK_AGE
                    || s == DONE
                    || SINGLE_OBJECT.contains(s) == (layout == Layout.SINGLE_OBJECT))
        .toList();
  }
}
