package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.wal.WalState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What planning did, in numbers and in words. */
final class PlanReport {
  private final List<String> reasons = new ArrayList<>();
  private final ScanPlan.Summary summary;
  private final BitSet settled;
  private int clean;
  private int merged;
  private int deleteFiles;
  private int shadowsOnly;
  private int unread;
  private int settledUnread;
  private long rows;
  private long bytes;
  private double rowBytes;

  PlanReport(
      MemberSelection selection,
      PartBuilder parts,
      WalState.Extent wal,
      KeyRanges keys,
      boolean edges) {
    settled = selection.settledRanks;
    rows = (long) wal.rows() - wal.tombstones();
    for (Member m : selection.members) {
      count(m, parts);
    }
    if (!edges && rows > ids(keys)) {
      rowBytes *= (double) ids(keys) / rows;
      rows = ids(keys);
    }
    int pruned = selection.outsideKeys + selection.byBloom + unread + settledUnread;
    summary =
        new ScanPlan.Summary(
            selection.listed,
            pruned,
            clean,
            merged,
            deleteFiles,
            wal.rows(),
            rows,
            bytes,
            (long) rowBytes);
    reason(selection.outsideKeys, "pruned: no asked key in their key range");
    reason(selection.byBloom, "pruned: no asked key in their id filter");
    reason(unread, "pruned: without the asked label or key, and newer than nothing that is read");
    reason(settledUnread, "pruned: metadata tells enough, and newer than nothing that is read");
    reason(shadowsOnly, "read for keys only: without an asked row, but newer than others");
    reason(deleteFiles, "read for keys only: delete files");
  }

  private void count(Member m, PartBuilder parts) {
    int rank = m.file().rank;
    if (!parts.read.get(rank)) {
      if (settled.get(rank)) {
        settledUnread++;
      } else {
        unread++;
      }
      return;
    }
    bytes += m.file().sizeBytes;
    if (m.emits()) {
      rows += m.live();
      rowBytes += (double) m.file().sizeBytes * m.live() / Math.max(1, m.file().rows);
      if (parts.merged.get(rank)) {
        merged++;
      } else {
        clean++;
      }
    } else if (m.deletes()) {
      deleteFiles++;
    } else {
      shadowsOnly++;
    }
  }

  /** How many ids the ranges hold if they are single ids, else no bound. */
  private static long ids(KeyRanges keys) {
    for (KeyRange r : keys.ranges()) {
      if (!r.min().equals(r.max())) {
        return Long.MAX_VALUE;
      }
    }
    return keys.ranges().size();
  }

  private void reason(int ssts, String text) {
    if (ssts > 0) {
      reasons.add(ssts + " SST(s) " + text);
    }
  }

  ScanPlan.Summary summary() {
    return summary;
  }

  List<String> reasons() {
    return reasons;
  }
}
