package com.namidb.spark.write.check;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.validate.AuditPiece;
import com.namidb.format.validate.DeepCheck;
import com.namidb.format.validate.Finding;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.read.EdgeTypes;
import com.namidb.spark.write.task.JavaBytes;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Runs the deep check of a version as Spark jobs of the active session. Contract §7. */
public final class GraphAudit {
  private static final ScanRequest.Sizing SIZING = new ScanRequest.Sizing(64L << 20, true);

  private final OpenNamespace opened;
  private final Snapshot snapshot;

  /** Makes no request. */
  public GraphAudit(OpenNamespace opened, Snapshot snapshot) {
    this.opened = opened;
    this.snapshot = snapshot;
  }

  /**
   * Reads the whole version.
   *
   * @param types whether the version's edge types can be found out, so that its WAL can be read
   */
  public List<Finding> deep(DeepCheck check, boolean types) {
    List<AuditPiece> pieces =
        check.pieces(
            types
                ? EdgeTypes.all(snapshot, WalPolicy.REPLAY, opened.store())
                : EdgeTypes.listed(snapshot.manifest()));
    return check.conclude(run(opened.location().store(), pieces));
  }

  private static List<AuditPiece.Outcome> run(StoreConfig config, List<AuditPiece> pieces) {
    List<byte[]> sent = pieces.stream().map(JavaBytes::of).toList();
    List<AuditPiece.Outcome> out = new ArrayList<>();
    outcomes(config, sent).forEach(b -> out.add(JavaBytes.read(b, AuditPiece.Outcome.class)));
    return out;
  }

  // Static, so that the closure takes only what it needs along.
  private static List<byte[]> outcomes(StoreConfig config, List<byte[]> pieces) {
    if (pieces.isEmpty()) {
      return List.of();
    }
    return JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext())
        .parallelize(pieces, pieces.size())
        .map(
            piece -> {
              try (ObjectStore store = StoreOpener.open(config)) {
                return JavaBytes.of(JavaBytes.read(piece, AuditPiece.class).run(store));
              }
            })
        .collect();
  }

  /** Values that several nodes have although a rule says that each has one of its own. */
  public List<Finding> duplicates() {
    List<UniqueRule> rules = UniqueRule.of(snapshot.manifest().schema());
    NamespacePaths paths = opened.location().paths();
    List<UniquePiece> pieces = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      for (ScanSlice slice : slices(rules.get(i).label())) {
        pieces.add(new UniquePiece(paths, null, -1, slice, rules, List.of(i)));
      }
    }
    if (pieces.isEmpty()) {
      return List.of();
    }
    StoreJobs jobs = new StoreJobs(opened.location().store());
    JavaRDD<byte[]> sorted =
        SortedBytes.of(jobs.unique(pieces), UniqueValue.BYTES, jobs.tasks(pieces.size()));
    long[] counts = new long[rules.size()];
    String[] examples = new String[rules.size()];
    for (byte[] bytes : counted(sorted, rules.size())) {
      Repeats part = JavaBytes.read(bytes, Repeats.class);
      for (int i = 0; i < counts.length; i++) {
        counts[i] += part.counts[i];
        examples[i] = examples[i] != null ? examples[i] : part.examples[i];
      }
    }
    List<Finding> out = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        UniqueRule rule = rules.get(i);
        String text = "nodes share a value that must be unique, such as " + examples[i];
        String object = rule.label() + "(" + String.join(", ", rule.properties()) + ")";
        out.add(new Finding("unique values", object, text, counts[i]));
      }
    }
    return out;
  }

  private static List<byte[]> counted(JavaRDD<byte[]> sorted, int rules) {
    return sorted
        .mapPartitions(rows -> List.of(JavaBytes.of(Repeats.of(rows, rules))).iterator())
        .collect();
  }

  private List<ScanSlice> slices(String label) {
    ScanRequest request =
        new ScanRequest(
            new ScanRequest.Nodes(Optional.of(label)),
            KeyRanges.ALL,
            KeyRanges.ALL,
            EnumSet.of(Column.KEY, Column.PAYLOAD),
            WalPolicy.REPLAY,
            SIZING);
    return ScanPlanner.plan(snapshot, request, opened.store()).slices();
  }

  /**
   * Nodes per rule that share a value, among sorted ones; equal values of a rule are neighbours.
   */
  private static final class Repeats implements Serializable {
    private static final long serialVersionUID = 1L;
    private final long[] counts;
    private final String[] examples;

    private Repeats(int rules) {
      counts = new long[rules];
      examples = new String[rules];
    }

    static Repeats of(Iterator<byte[]> rows, int rules) {
      Repeats out = new Repeats(rules);
      byte[] last = null;
      boolean repeated = false;
      while (rows.hasNext()) {
        byte[] row = rows.next();
        boolean same =
            last != null && Arrays.equals(row, 0, UniqueValue.BYTES, last, 0, UniqueValue.BYTES);
        if (same) {
          int rule = ByteBuffer.wrap(row).getInt(UniquePiece.RULE_AT);
          out.counts[rule] += repeated ? 1 : 2;
          if (out.examples[rule] == null) {
            out.examples[rule] =
                NodeId.of(last, UniquePiece.ID_AT) + " and " + NodeId.of(row, UniquePiece.ID_AT);
          }
        }
        repeated = same;
        last = row;
      }
      return out;
    }
  }
}
