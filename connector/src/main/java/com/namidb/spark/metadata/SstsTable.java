package com.namidb.spark.metadata;

import com.namidb.format.id.KeyRange;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code ssts}: every SST of graph data a version lists, in manifest order. Contract §8. */
final class SstsTable {
  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.StringType, false)
          .add("kind", DataTypes.StringType, false)
          .add("scope", DataTypes.StringType, false)
          .add("level", DataTypes.IntegerType, false)
          .add("rows", DataTypes.LongType, false)
          .add("tombstones", DataTypes.LongType, false)
          .add("min_key", DataTypes.StringType, false)
          .add("max_key", DataTypes.StringType, false)
          .add("min_lsn", Unsigned.TYPE, false)
          .add("max_lsn", Unsigned.TYPE, false)
          .add("bytes", DataTypes.LongType, false)
          .add("is_delete_file", DataTypes.BooleanType, false)
          .add("overlaps", DataTypes.LongType, false)
          .add("path", DataTypes.StringType, false);

  private SstsTable() {}

  static List<InternalRow> rows(Snapshot snapshot) {
    List<SstDescriptor> ssts =
        snapshot.manifest().ssts().stream().filter(s -> s.kind() != SstKind.OTHER).toList();
    Map<Family, Bounds> bounds = new HashMap<>();
    for (SstDescriptor s : ssts) {
      bounds.computeIfAbsent(Family.of(s), f -> new Bounds()).add(s.keys());
    }
    bounds.values().forEach(Bounds::sort);
    List<InternalRow> out = new ArrayList<>();
    for (SstDescriptor s : ssts) {
      out.add(
          Cells.row(
              s.id().toString(),
              kind(s.kind()),
              s.scope(),
              s.level(),
              s.counts().rows(),
              s.counts().tombstones(),
              s.keys().min().toString(),
              s.keys().max().toString(),
              Unsigned.of(s.lsns().min()),
              Unsigned.of(s.lsns().max()),
              s.sizeBytes(),
              s.isDeleteFile(),
              bounds.get(Family.of(s)).overlaps(s.keys()) - 1,
              s.path()));
    }
    return out;
  }

  private static String kind(SstKind kind) {
    return switch (kind) {
      case NODES -> "nodes";
      case EDGES_FWD -> "edges_fwd";
      case EDGES_INV -> "edges_inv";
      case OTHER -> "other";
    };
  }

  /**
   * SSTs whose rows can hide each other's: all node SSTs, and those of an edge type's direction.
   */
  private record Family(SstKind kind, String scope) {
    static Family of(SstDescriptor s) {
      return new Family(s.kind(), s.kind() == SstKind.NODES ? "" : s.scope());
    }
  }

  /** Counts overlapping ranges with two binary searches: all but those wholly before or after. */
  private static final class Bounds {
    private final List<KeyRange> ranges = new ArrayList<>();
    private KeyRange[] byMin = new KeyRange[0];
    private KeyRange[] byMax = new KeyRange[0];

    void add(KeyRange range) {
      ranges.add(range);
    }

    void sort() {
      byMin = ranges.toArray(KeyRange[]::new);
      byMax = byMin.clone();
      Arrays.sort(byMin, Comparator.comparing(KeyRange::min));
      Arrays.sort(byMax, Comparator.comparing(KeyRange::max));
    }

    long overlaps(KeyRange r) {
      int startingInTime = count(byMin, k -> k.min().compareTo(r.max()) <= 0);
      int endedBefore = count(byMax, k -> k.max().compareTo(r.min()) < 0);
      return (long) startingInTime - endedBefore;
    }

    private static int count(KeyRange[] sorted, Predicate<KeyRange> first) {
      int a = 0;
      int z = sorted.length;
      while (a < z) {
        int m = (a + z) >>> 1;
        if (first.test(sorted[m])) {
          a = m + 1;
        } else {
          z = m;
        }
      }
      return a;
    }
  }
}
