package com.namidb.format.scan;

import java.util.ArrayList;
import java.util.List;

/** Puts small parts together, so that many small SSTs do not become as many tasks. */
final class SlicePacker {
  /** What opening objects costs, expressed as bytes; at most this part of a slice. */
  private static final long MAX_OPEN_BYTES = 4L << 20;

  private static final long OPENS_PER_SLICE = 32;

  private SlicePacker() {}

  static List<ScanSlice> pack(SliceScope scope, List<SlicePart> parts, ScanRequest.Sizing sizing) {
    long openBytes = Math.min(MAX_OPEN_BYTES, sizing.splitBytes() / OPENS_PER_SLICE);
    long sliceBytes = sliceBytes(parts, sizing, openBytes);
    List<ScanSlice> out = new ArrayList<>();
    List<SlicePart> together = new ArrayList<>();
    long weight = 0;
    for (SlicePart part : parts) {
      long cost = cost(part, openBytes);
      boolean full = !sizing.combineSmall() || weight + cost > sliceBytes;
      if (!together.isEmpty() && full) {
        out.add(new ScanSlice(scope, together));
        together.clear();
        weight = 0;
      }
      together.add(part);
      weight += cost;
    }
    if (!together.isEmpty()) {
      out.add(new ScanSlice(scope, together));
    }
    return out;
  }

  private static long cost(SlicePart part, long openBytes) {
    long opens = part.base.length + part.shadows.length + 1L;
    return part.weight + opens * openBytes;
  }

  /** So much that the wanted number of slices remains, if there is enough to read. */
  private static long sliceBytes(List<SlicePart> parts, ScanRequest.Sizing sizing, long openBytes) {
    if (sizing.tasks() == 1) {
      return sizing.splitBytes();
    }
    long sum = 0;
    for (SlicePart p : parts) {
      sum += cost(p, openBytes);
    }
    long wanted = Math.max(Cutter.MIN_PIECE, sum / sizing.tasks() + 1);
    return Math.min(sizing.splitBytes(), wanted);
  }
}
