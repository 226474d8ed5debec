package com.namidb.spark.write.removal;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.spark.write.task.JavaBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Runs the pieces of a removal as a Spark job, one task each. */
final class SparkRemovals {
  private SparkRemovals() {}

  /** Everything the pieces did together. */
  static RemovalPiece.Outcome run(
      StoreConfig config, RemovalScope scope, List<? extends RemovalPiece> pieces) {
    List<byte[]> parts = pieces.stream().map(JavaBytes::of).toList();
    RemovalPiece.Outcome out = new RemovalPiece.Outcome(List.of(), List.of());
    if (parts.isEmpty()) {
      return out;
    }
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
    for (byte[] done : run(context, config, JavaBytes.of(scope), new ArrayList<>(parts))) {
      RemovalPiece.Outcome one = JavaBytes.read(done, RemovalPiece.Outcome.class);
      out.files().addAll(one.files());
      out.problems().addAll(one.problems());
    }
    return out;
  }

  // Static, so that the closure takes only what it needs along.
  private static List<byte[]> run(
      JavaSparkContext context, StoreConfig config, byte[] scope, List<byte[]> pieces) {
    return context
        .parallelize(pieces, pieces.size())
        .map(piece -> one(config, scope, piece))
        .collect();
  }

  private static byte[] one(StoreConfig config, byte[] shared, byte[] piece) throws IOException {
    RemovalScope scope = JavaBytes.read(shared, RemovalScope.class);
    Path temp = temp();
    try (ObjectStore store = StoreOpener.open(config)) {
      StageTarget target = new StageTarget(store, scope.paths(), scope.job(), temp);
      return JavaBytes.of(JavaBytes.read(piece, RemovalPiece.class).run(scope, target));
    } finally {
      Files.deleteIfExists(temp);
    }
  }

  private static Path temp() {
    try {
      return Files.createTempDirectory("namidb-remove");
    } catch (IOException e) {
      throw StoreErrors.failed("make a temporary directory", null, e);
    }
  }
}
