package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Which sources two versions share, and so which keys may have changed between them.
 *
 * <p><b>Claim.</b> A key that lies in no differing SST, and whose newest WAL records are the same,
 * is in both versions with the same record or in none.
 *
 * <p><b>Proof.</b> Of such a key both versions hold the same records: those of the shared SSTs,
 * whose bodies are the same immutable objects, and one WAL record or none (an older WAL record of
 * the key is beaten within the WAL already). The winner is the record with the highest LSN, and of
 * equal LSNs the one of the WAL, then that of the SST listed first (manifest §5.3, §5.4). LSNs are
 * in the records; the order of the shared SSTs is the same in both manifests, or else no SST counts
 * as shared. So the winner is the same record. It shows the same in both: a label id has the same
 * name, because the earlier dictionary is the beginning of the later one, or else nothing counts as
 * shared; and the same columns and streams of the body are looked at, because the later manifest
 * declares what the earlier did, or else that SST does not count as shared. This takes from the
 * format that a manifest names every label id and declares every stream of what it lists (manifest
 * §5.6, edge §5.6). ∎
 *
 * <p>Whether the target is a label makes no difference: the label is tested on the winner. The
 * reverse is not claimed: a compaction makes every SST a differing one, though nothing changed. So
 * keys are only candidates, and both winners are always compared.
 */
final class DiffSources {
  /** From so many changed WAL keys on, only their range is kept. */
  static final int MAX_WAL_KEYS = 65_536;

  final boolean wholeWal;
  final List<SliceFile> differing = new ArrayList<>();
  final List<SliceFile> shared = new ArrayList<>();
  int walRecords;
  private final Set<UUID> sharedIds = new HashSet<>();
  private final KeyRanges keys;

  /**
   * Compares what two versions list.
   *
   * @param allowed keys that are asked for
   */
  DiffSources(DiffVersion before, DiffVersion after, KeyRanges allowed) {
    List<String> old = before.labels.names().names().subList(0, before.labels.stored());
    List<String> now = after.labels.names().names().subList(0, after.labels.stored());
    boolean grown = now.size() >= old.size() && now.subList(0, old.size()).equals(old);
    boolean comparable = before.scope.target.isEdges() || grown;
    wholeWal = !comparable;
    if (comparable) {
      share(before, after);
    }
    List<KeyRange> ranges = new ArrayList<>();
    for (DiffVersion v : List.of(before, after)) {
      for (SliceFile f : v.files) {
        if (!isShared(f)) {
          differing.add(f);
          ranges.add(f.keys());
        } else if (v == after) {
          shared.add(f);
        }
      }
    }
    ranges.addAll(wal(before, after, allowed));
    keys = KeyRanges.union(ranges).intersect(allowed);
  }

  private void share(DiffVersion before, DiffVersion after) {
    Map<UUID, SliceFile> earlier = new HashMap<>();
    before.files.forEach(f -> earlier.put(f.id(), f));
    int rank = -1;
    for (SliceFile f : after.files) {
      SliceFile same = earlier.get(f.id());
      if (same != null && same.readsAs(f)) {
        if (same.rank < rank) {
          // Another order: ties of LSNs may fall otherwise.
          sharedIds.clear();
          return;
        }
        rank = same.rank;
        sharedIds.add(f.id());
      }
    }
  }

  private List<KeyRange> wal(DiffVersion before, DiffVersion after, KeyRanges allowed) {
    List<KeyRange> each = new ArrayList<>();
    int walKeys = 0;
    NodeId first = null;
    NodeId last = null;
    try (WalDiff diff = new WalDiff(before.wal, after.wal, allowed, wholeWal)) {
      while (diff.next()) {
        walKeys++;
        last = diff.key();
        first = first == null ? last : first;
        if (walKeys <= MAX_WAL_KEYS) {
          each.add(new KeyRange(last, last));
        }
      }
      walRecords = diff.records();
    }
    return walKeys <= MAX_WAL_KEYS ? each : List.of(new KeyRange(first, last));
  }

  boolean isShared(SliceFile file) {
    return sharedIds.contains(file.id());
  }

  /** Every key that may have changed is in here; others may be, too. */
  KeyRanges keys() {
    return keys;
  }
}
