package com.namidb.format.merge;

import com.namidb.format.record.SelectedCursor;

/** A cursor that selects, of each key, the version that no source of its merge beats. */
public interface WinnerCursor extends SelectedCursor {
  /** Physical records read so far, shadows not counted. */
  long rowsRead();

  /** Of these, records hidden because a newer version of their key lives in another source. */
  long hiddenByNewer();
}
