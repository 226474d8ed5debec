package com.namidb.format.scan;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.ScanErrors;
import com.namidb.format.error.Where;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import java.util.EnumSet;

/**
 * What changed in a table between two snapshots: what is visible in one of them only, and what is
 * in both with other labels or other property values. An LSN alone is no change: who writes a
 * record again as it was changes nothing, nor does a fold or a compaction. A node that gains a
 * label is an insert in that label's table, one that loses it a delete. Contract §4, manifest §5.
 *
 * <p>Only keys that some source of one version alone may hold are read: {@code DiffSources} has the
 * proof that no other key can have changed. All of these keys are compared.
 */
public final class SnapshotDiff {
  private static final ScanRequest.Sizing COUNTED = new ScanRequest.Sizing(128L << 20, false);

  private SnapshotDiff() {}

  /**
   * Plans; reads the WALs both list (kept for later reads in this process), id filters for requests
   * of few ids, and footers of SSTs that must be cut. A slice is a key range over both versions; a
   * single node or a source of edges is never cut.
   *
   * @param from the earlier version
   * @param to the later version of the same namespace; the same version gives an empty plan
   * @param request its columns are not looked at; key conditions leave out keys as a scan does
   * @throws com.namidb.format.error.InvalidOptionException if {@code from} is later than {@code
   *     to}, or a snapshot lists WAL segments and the request forbids them
   * @throws com.namidb.format.error.CorruptObjectException if an object read is missing or damaged
   */
  public static DiffPlan plan(Snapshot from, Snapshot to, ScanRequest request, ObjectStore store) {
    boolean edges = request.target() instanceof ScanRequest.Edges;
    return plan(from, to, request, store, new StoredSsts(store, edges));
  }

  static DiffPlan plan(
      Snapshot from, Snapshot to, ScanRequest request, ObjectStore store, SstAccess ssts) {
    if (Long.compareUnsigned(from.version(), to.version()) > 0) {
      throw ScanErrors.changesBackwards(
          to.location().paths().namespace(), from.version(), to.version());
    }
    DiffVersion before = version(from, request, store);
    DiffVersion after = version(to, request, store);
    try {
      return new DiffPlanning(before, after, request.keys()).plan(request.sizing(), ssts);
    } catch (NamiException e) {
      throw e.at(after.scope.where());
    }
  }

  private static DiffVersion version(Snapshot snapshot, ScanRequest request, ObjectStore store) {
    try {
      return new DiffVersion(snapshot, request, store);
    } catch (NamiException e) {
      throw e.at(Where.version(snapshot.location().paths().namespace(), snapshot.version()));
    }
  }

  /**
   * Counts the changes of a table, slice by slice on the calling thread. To count in parallel, plan
   * and add up what {@link DiffReader#count} gives for each slice.
   *
   * @param wal what to do with WAL rows of both versions
   * @throws com.namidb.format.error.NamiException as {@link #plan} and {@link DiffReader#next}
   */
  public static DiffCounts count(
      Snapshot from, Snapshot to, ScanRequest.Target target, WalPolicy wal, ObjectStore store) {
    ScanRequest request =
        new ScanRequest(
            target, KeyRanges.ALL, KeyRanges.ALL, EnumSet.noneOf(Column.class), wal, COUNTED);
    DiffCounts sum = DiffCounts.NONE;
    for (DiffSlice slice : plan(from, to, request, store).slices()) {
      try (DiffReader reader = DiffReader.open(slice, store)) {
        sum = sum.plus(reader.count());
      }
    }
    return sum;
  }
}
