package com.namidb.spark.write.check;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.CandidateKeys;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.validate.DanglingEdges;
import com.namidb.spark.write.quarantine.KeptRowsReader;
import com.namidb.spark.write.task.JavaBytes;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Turns pieces of a check into Spark data, one task each; what they read is never held. */
final class StoreJobs {
  /** Bytes of a staged key: two ids, the second zero for nodes, and the file's position. */
  static final int KEY_BYTES = RowSorter.KEY + Reject.FILE;

  private final StoreConfig config;

  StoreJobs(StoreConfig config) {
    this.config = config;
  }

  private static JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
  }

  /** How many tasks should compare what so many pieces read. */
  int tasks(int pieces) {
    return Math.max(1, Math.min(pieces, 10 * context().defaultParallelism()));
  }

  /** Reads a piece of a check lazily. */
  @FunctionalInterface
  private interface Opener<P> extends Serializable {
    Pulled<byte[]> open(P piece, ObjectStore store);
  }

  private <P extends Serializable> JavaRDD<byte[]> run(
      List<P> pieces, Class<P> type, Opener<P> opener) {
    List<byte[]> sent = pieces.stream().map(JavaBytes::of).toList();
    return run(context(), config, sent, type, opener);
  }

  // Static, so that the closure takes only what it needs along.
  private static <P> JavaRDD<byte[]> run(
      JavaSparkContext context,
      StoreConfig config,
      List<byte[]> pieces,
      Class<P> type,
      Opener<P> opener) {
    return context
        .parallelize(pieces, Math.max(1, pieces.size()))
        .flatMap(
            piece -> {
              ObjectStore store = StoreOpener.open(config);
              TaskContext.get().addTaskCompletionListener(new TaskEnd(store));
              return opener.open(JavaBytes.read(piece, type), store);
            });
  }

  /** Nodes whose values are compared. */
  JavaRDD<byte[]> unique(List<UniquePiece> pieces) {
    return run(pieces, UniquePiece.class, UniquePiece::read);
  }

  /** The keys of candidates, each with the position of its file. */
  JavaRDD<byte[]> keys(NamespacePaths paths, List<CandidateFile> files) {
    List<StagedKeysOf> pieces = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      pieces.add(new StagedKeysOf(paths, files.get(i).sst(), i));
    }
    return run(pieces, StagedKeysOf.class, StagedKeysOf::read);
  }

  /** The keys of kept rows, as those of a file before the first. */
  JavaRDD<byte[]> kept(List<String> keys) {
    List<KeptKeysOf> pieces = keys.stream().map(KeptKeysOf::new).toList();
    return run(pieces, KeptKeysOf.class, KeptKeysOf::read);
  }

  /** Rejects of edges with a missing end. */
  JavaRDD<byte[]> dangling(List<DanglingPiece> pieces) {
    return run(pieces, DanglingPiece.class, DanglingPiece::read);
  }

  /** Takes rejected rows out of the candidates. */
  List<SetAsideTask.Outcome> setAside(SetAsidePlan plan, JavaRDD<byte[]> rejects) {
    int tasks = tasks(plan.items().size());
    return setAside(JavaBytes.of(plan), SortedBytes.of(rejects, Reject.FILE, tasks))
        .collect()
        .stream()
        .map(bytes -> JavaBytes.read(bytes, SetAsideTask.Outcome.class))
        .toList();
  }

  private static JavaRDD<byte[]> setAside(byte[] plan, JavaRDD<byte[]> sorted) {
    return sorted.mapPartitions(
        rejects -> {
          Iterator<byte[]> none = rejects;
          return none.hasNext()
              ? new SetAsideTask(JavaBytes.read(plan, SetAsidePlan.class), rejects)
              : none;
        });
  }

  private record StagedKeysOf(NamespacePaths paths, NewSst sst, int file) implements Serializable {
    Pulled<byte[]> read(ObjectStore store) {
      CandidateKeys in = CandidateKeys.open(store, paths, sst, KeyRanges.ALL);
      return new Pulled<>() {
        private int row = -1;
        private int size;

        @Override
        byte[] pull() {
          while (++row >= size) {
            if (!in.next()) {
              in.close();
              return null;
            }
            row = -1;
            size = in.batch().size();
          }
          RecordBatch b = in.batch();
          return keyBytes(
              new NodeId(b.keyHi()[row], b.keyLo()[row]),
              b.edges() ? new NodeId(b.partnerHi()[row], b.partnerLo()[row]) : NodeId.MIN,
              file);
        }
      };
    }
  }

  private record KeptKeysOf(String key) implements Serializable {
    Pulled<byte[]> read(ObjectStore store) {
      KeptRowsReader in = new KeptRowsReader(store, key);
      return new Pulled<>() {
        @Override
        byte[] pull() {
          if (in.next()) {
            return keyBytes(in.first(), in.second(), -1);
          }
          in.close();
          return null;
        }
      };
    }
  }

  private static byte[] keyBytes(NodeId first, NodeId second, int file) {
    return ByteBuffer.allocate(KEY_BYTES)
        .putLong(first.hi())
        .putLong(first.lo())
        .putLong(second.hi())
        .putLong(second.lo())
        .putInt(file)
        .array();
  }

  /**
   * One pair of candidates whose ends are looked for.
   *
   * @param edges how to look
   * @param file position of the forward candidate
   */
  record DanglingPiece(DanglingEdges edges, int file) implements Serializable {
    Pulled<byte[]> read(ObjectStore store) {
      DanglingEdges.Cursor in = edges.open(store);
      return new Pulled<>() {
        @Override
        byte[] pull() {
          if (!in.next()) {
            in.close();
            return null;
          }
          boolean both = in.noSource() && in.noDestination();
          String end = both ? "both ends" : in.noSource() ? "the source" : "the destination";
          String detail =
              both
                  ? ": nodes " + in.src() + " and " + in.dst()
                  : ": node " + (in.noSource() ? in.src() : in.dst());
          return new Reject(file, in.src(), in.dst(), end + " missing", detail).toBytes();
        }
      };
    }
  }
}
