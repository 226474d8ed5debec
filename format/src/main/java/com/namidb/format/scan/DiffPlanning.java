package com.namidb.format.scan;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.LabelDictionary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Cuts a difference into key ranges of about equal work. */
final class DiffPlanning {
  private static final long WAL_ROW_BYTES = 200;

  /** Of an edge SST few keys are found by their pages. */
  private static final long EDGE_RUN_ROWS = 4096;

  private final DiffVersion before;
  private final DiffVersion after;
  private final DiffSources sources;
  private final boolean edges;
  private long bytes;

  DiffPlanning(DiffVersion before, DiffVersion after, KeyRanges allowed) {
    this.before = before;
    this.after = after;
    this.edges = after.scope.target.isEdges();
    this.sources = new DiffSources(before, after, allowed);
  }

  DiffPlan plan(ScanRequest.Sizing sizing, SstAccess ssts) {
    LabelDictionary labels = before.labels.names().extended(after.labels.names().names());
    List<DiffSlice> slices = new ArrayList<>();
    if (!sources.keys().isEmpty() && !nothingShows()) {
      List<KeyRange> pieces = cut(sizing, Cutter.of(ssts, sizing, List.of(), edges));
      for (KeyRange piece : pieces) {
        if (sources.keys().overlaps(piece)) {
          slices.add(
              new DiffSlice(
                  before.side(piece, sources, labels),
                  after.side(piece, sources, labels),
                  sources.wholeWal,
                  piece,
                  bytes / pieces.size()));
        }
      }
    }
    return new DiffPlan(slices, labels, summary(!slices.isEmpty()));
  }

  private boolean nothingShows() {
    return DiffVersion.isEmpty(before.scope) && DiffVersion.isEmpty(after.scope);
  }

  private List<KeyRange> cut(ScanRequest.Sizing sizing, Cutter cutter) {
    List<KeyRange> ranges = sources.keys().ranges();
    KeyRange span = ranges.get(0).union(ranges.get(ranges.size() - 1));
    KeyDensity density = new KeyDensity(span);
    for (SliceFile f : sources.differing) {
      cutter.sample(f, density);
    }
    if (sources.walRecords > 0) {
      density.add(span, sources.walRecords * WAL_ROW_BYTES);
    }
    for (SliceFile f : sources.shared) {
      f.keys()
          .intersect(span)
          .filter(sources.keys()::overlaps)
          .ifPresent(inside -> density.add(inside, lookupBytes(f, inside, span)));
    }
    bytes = density.bytes();
    long wanted = Math.max(Cutter.MIN_PIECE, bytes / sizing.tasks() + 1);
    long piece = Math.max(1, Math.min(sizing.splitBytes(), wanted));
    int pieces = Cutter.count(bytes, candidates(), piece);
    return Cutter.Pieces.at(density.cuts(Math.max(1, pieces)), false).ranges();
  }

  /** Twice what finding its share of the candidates costs, taken as spread evenly. */
  private long lookupBytes(SliceFile file, KeyRange inside, KeyRange span) {
    double found = candidates() * KeyDensity.share(inside, span);
    double whole = file.sizeBytes * KeyDensity.share(inside, file.keys());
    long together = edges ? EDGE_RUN_ROWS : Cutter.GROUP_ROWS;
    double each = Math.min(whole, (double) file.sizeBytes * together / Math.max(1, file.rows));
    return (long) (2 * Math.min(whole, Math.ceil(found) * each));
  }

  private long candidates() {
    long rows = sources.walRecords;
    for (SliceFile f : sources.differing) {
      rows += f.rows;
    }
    return rows;
  }

  private DiffPlan.Summary summary(boolean any) {
    Set<UUID> listed = new HashSet<>(before.listed);
    listed.addAll(after.listed);
    Set<UUID> differing = new HashSet<>();
    int shared = 0;
    if (any) {
      sources.differing.forEach(f -> differing.add(f.id()));
      for (SliceFile f : sources.shared) {
        shared += sources.keys().overlaps(f.keys()) ? 1 : 0;
      }
    }
    int pruned = listed.size() - differing.size() - shared;
    long rows = any ? 2 * candidates() : 0;
    return new DiffPlan.Summary(
        listed.size(), differing.size(), shared, pruned, sources.walRecords, rows, bytes);
  }
}
