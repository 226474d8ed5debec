package com.namidb.spark.write.check;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;

/**
 * Finds staged nodes that break a uniqueness rule of the version to be committed on: two staged
 * nodes with equal values, or one whose values a node of the base has that the job neither replaces
 * nor deletes. Nodes of the labels meet by the hash of their values; suspects of the base meet the
 * staged ids by their own. Both are shuffles of a few dozen bytes per node; the second only happens
 * if there are suspects.
 */
final class UniqueRejects {
  private static final ScanRequest.Sizing SIZING = new ScanRequest.Sizing(64L << 20, true);
  private static final byte WRONG = 0;
  private static final byte SUSPECT = 1;
  private static final byte[] NO_ID = new byte[NodeId.BYTES];

  private final StoreJobs jobs;
  private final NamespacePaths paths;
  private final ObjectStore store;

  UniqueRejects(StoreJobs jobs, NamespacePaths paths, ObjectStore store) {
    this.jobs = jobs;
    this.paths = paths;
    this.store = store;
  }

  /** The rules a staged node might break. */
  static List<UniqueRule> rules(Snapshot base, List<CandidateFile> files) {
    Set<String> labels = new HashSet<>();
    files.forEach(f -> labels.addAll(f.labels().values()));
    return UniqueRule.of(base.manifest().schema()).stream()
        .filter(r -> labels.contains(r.label()))
        .toList();
  }

  /**
   * All rejects.
   *
   * @param files node candidates; rejects refer to them by position
   */
  JavaRDD<byte[]> find(Snapshot base, List<CandidateFile> files, List<UniqueRule> rules) {
    List<UniquePiece> pieces = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      pieces.add(new UniquePiece(paths, files.get(i), i, null, rules, List.of()));
    }
    Map<String, List<Integer>> byLabel = new TreeMap<>();
    for (int i = 0; i < rules.size(); i++) {
      byLabel.computeIfAbsent(rules.get(i).label(), l -> new ArrayList<>()).add(i);
    }
    byLabel.forEach(
        (label, numbers) -> {
          for (ScanSlice slice : slices(base, label)) {
            pieces.add(new UniquePiece(paths, null, -1, slice, rules, numbers));
          }
        });
    int tasks = jobs.tasks(pieces.size());
    JavaRDD<byte[]> found =
        groups(SortedBytes.of(jobs.unique(pieces), UniqueValue.BYTES, tasks), rules);
    JavaRDD<byte[]> wrong = found.filter(f -> f[0] == WRONG).map(f -> tail(f));
    JavaRDD<byte[]> suspects = found.filter(f -> f[0] == SUSPECT).map(f -> tail(f));
    if (suspects.isEmpty()) {
      return wrong;
    }
    JavaRDD<byte[]> met =
        SortedBytes.of(
            jobs.keys(paths, files).map(k -> stagedId(k)).union(suspects), NodeId.BYTES, tasks);
    return wrong.union(held(met, rules));
  }

  private List<ScanSlice> slices(Snapshot base, String label) {
    ScanRequest request =
        new ScanRequest(
            new ScanRequest.Nodes(Optional.of(label)),
            KeyRanges.ALL,
            KeyRanges.ALL,
            EnumSet.of(Column.KEY, Column.PAYLOAD),
            WalPolicy.REPLAY,
            SIZING);
    return ScanPlanner.plan(base, request, store).slices();
  }

  private static byte[] tail(byte[] tagged) {
    return Arrays.copyOfRange(tagged, 1, tagged.length);
  }

  private static byte[] tagged(byte tag, byte[] bytes) {
    return ByteBuffer.allocate(1 + bytes.length).put(tag).put(bytes).array();
  }

  /** A staged id as it sorts before the suspects that have it. */
  private static byte[] stagedId(byte[] key) {
    return Arrays.copyOf(key, NodeId.BYTES + 1);
  }

  private static JavaRDD<byte[]> groups(JavaRDD<byte[]> sorted, List<UniqueRule> rules) {
    ArrayList<UniqueRule> all = new ArrayList<>(rules);
    return sorted.mapPartitions(rows -> new Groups(rows, all));
  }

  private static JavaRDD<byte[]> held(JavaRDD<byte[]> sorted, List<UniqueRule> rules) {
    ArrayList<UniqueRule> all = new ArrayList<>(rules);
    return sorted.mapPartitions(rows -> new Held(rows, all));
  }

  private static NodeId id(byte[] row, int at) {
    return new NodeId(IdBytes.longAt(row, at), IdBytes.longAt(row, at + 8));
  }

  private static byte[] reject(byte[] staged, List<UniqueRule> rules, String detail) {
    UniqueRule rule = rules.get(RowSorter.intAt(staged, UniquePiece.RULE_AT));
    int file = RowSorter.intAt(staged, UniquePiece.FILE_AT);
    return new Reject(file, id(staged, UniquePiece.ID_AT), NodeId.MIN, rule.broken(), detail)
        .toBytes();
  }

  /** Rows with equal values, staged ones first. */
  private static final class Groups extends Pulled<byte[]> {
    private final Iterator<byte[]> rows;
    private final List<UniqueRule> rules;
    private byte[] first;
    private byte[] waiting;
    private boolean many;

    Groups(Iterator<byte[]> rows, List<UniqueRule> rules) {
      this.rows = rows;
      this.rules = rules;
    }

    @Override
    byte[] pull() {
      if (waiting != null) {
        byte[] out = waiting;
        waiting = null;
        return out;
      }
      while (rows.hasNext()) {
        byte[] row = rows.next();
        boolean same =
            first != null && Arrays.equals(row, 0, UniqueValue.BYTES, first, 0, UniqueValue.BYTES);
        boolean staged = row[UniquePiece.KIND_AT] == UniquePiece.STAGED;
        if (!same) {
          first = staged ? row : null;
          many = false;
        } else if (staged) {
          byte[] this_ = wrong(row, first);
          if (many) {
            return this_;
          }
          many = true;
          waiting = this_;
          return wrong(first, row);
        } else if (!many) {
          return suspect(row);
        }
      }
      return null;
    }

    private byte[] wrong(byte[] row, byte[] other) {
      String detail = ": node " + id(other, UniquePiece.ID_AT) + " of the job has the same value";
      return tagged(WRONG, reject(row, rules, detail));
    }

    /** Id of the base's node, then the staged row. */
    private byte[] suspect(byte[] row) {
      return ByteBuffer.allocate(1 + NodeId.BYTES + 1 + first.length)
          .put(SUSPECT)
          .put(row, UniquePiece.ID_AT, NodeId.BYTES)
          .put((byte) 1)
          .put(first)
          .array();
    }
  }

  /** Suspects whose node the job leaves as it is. */
  private static final class Held extends Pulled<byte[]> {
    private final Iterator<byte[]> rows;
    private final List<UniqueRule> rules;
    private byte[] staged = NO_ID;
    private boolean any;

    Held(Iterator<byte[]> rows, List<UniqueRule> rules) {
      this.rows = rows;
      this.rules = rules;
    }

    @Override
    byte[] pull() {
      while (rows.hasNext()) {
        byte[] row = rows.next();
        if (row[NodeId.BYTES] == 0) {
          staged = row;
          any = true;
        } else if (!any || !Arrays.equals(row, 0, NodeId.BYTES, staged, 0, NodeId.BYTES)) {
          byte[] mine = Arrays.copyOfRange(row, NodeId.BYTES + 1, row.length);
          return reject(mine, rules, ": node " + id(row, 0) + " has the same value");
        }
      }
      return null;
    }
  }
}
