package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordCursor;
import java.util.List;
import java.util.Set;

/** What a scan asks of an SST: its records, and where it can be cut. */
interface SstAccess {
  /**
   * Opens records; may do its requests at the first call of the cursor.
   *
   * @param window most bytes of a column to hold at once, as far as the format allows
   */
  RecordCursor scan(
      SliceFile file, Set<Column> columns, KeyRanges ranges, LabelSets labels, int window);

  /**
   * Parts of an SST in key order, each whole keys only.
   *
   * @param pieces how many are wanted at most, where the format lets choose
   */
  List<Part> parts(SliceFile file, int pieces);

  /**
   * A part of an SST.
   *
   * @param keys its key range
   * @param bytes its size
   * @param exact whether a scan of a range that holds some exact parts whole and none in part gives
   *     the rows of these parts and no others
   */
  record Part(KeyRange keys, long bytes, boolean exact) {
    Part(KeyRange keys, long bytes) {
      this(keys, bytes, false);
    }
  }
}
