package com.namidb.spark.catalog;

import com.namidb.format.scan.ExactCounts;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.OpenNamespace;

/**
 * Whether a table has a row: by metadata where that proves it, else by reading to the first one.
 */
final class LiveRowsProbe {
  private LiveRowsProbe() {}

  static boolean any(Snapshot snapshot, ScanRequest.Target target) {
    ExactCounts.Counted known = TableFacts.count(snapshot, target, WalPolicy.REPLAY);
    if (known.rows() > 0) {
      return true;
    }
    ObjectStore store = OpenNamespace.at(snapshot.location()).store();
    for (ScanSlice slice : known.rest()) {
      try (SliceReader rows = SliceReader.open(slice, store)) {
        while (rows.next()) {
          if (rows.selection().size() > 0) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
