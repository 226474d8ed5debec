package com.namidb.spark.catalog;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.scan.ScanPlan;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.OpenNamespace;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Whether a table has a row: by metadata where that proves it, else by reading to the first one.
 */
final class LiveRowsProbe {
  private LiveRowsProbe() {}

  static boolean any(Snapshot snapshot, ScanRequest.Target target) {
    OptionalLong exact = TableFacts.rows(snapshot, List.of(target), WalPolicy.REPLAY);
    if (exact.isPresent()) {
      return exact.getAsLong() > 0;
    }
    ObjectStore store = OpenNamespace.at(snapshot.location()).store();
    ScanRequest request =
        new ScanRequest(
            target,
            KeyRanges.ALL,
            KeyRanges.ALL,
            Set.of(),
            WalPolicy.REPLAY,
            new ScanRequest.Sizing(Long.MAX_VALUE, false));
    ScanPlan plan = ScanPlanner.plan(snapshot, request, store);
    for (ScanSlice slice : plan.slices()) {
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
