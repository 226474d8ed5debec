package com.namidb.spark.write.publish;

import com.namidb.format.commit.FileRewriter;
import com.namidb.format.commit.RewriteOrder;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.spark.write.task.JavaBytes;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Writes candidates again as a Spark job, one task per file or pair of files. */
final class SparkRewriter implements FileRewriter {
  private final StoreConfig config;

  SparkRewriter(StoreConfig config) {
    this.config = config;
  }

  @Override
  public List<CandidateFile> rewrite(
      StageTarget target, List<CandidateFile> files, RewriteOrder order) {
    List<byte[]> pieces =
        files.stream()
            .filter(f -> f.sst().kind() != SstKind.EDGES_INV)
            .map(f -> JavaBytes.of(new Piece(target.paths(), target.job(), f, order)))
            .toList();
    if (pieces.isEmpty()) {
      return List.of();
    }
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
    List<CandidateFile> out = new ArrayList<>();
    for (byte[] bytes : run(context, config, pieces)) {
      out.addAll(JavaBytes.read(bytes, Written.class).files());
    }
    return out;
  }

  // Static, so that the closure takes only what it needs along.
  private static List<byte[]> run(
      JavaSparkContext context, StoreConfig config, List<byte[]> pieces) {
    return context
        .parallelize(pieces, pieces.size())
        .map(bytes -> JavaBytes.of(JavaBytes.read(bytes, Piece.class).run(config)))
        .collect();
  }

  private record Written(ArrayList<CandidateFile> files) implements Serializable {}

  private record Piece(NamespacePaths paths, String job, CandidateFile file, RewriteOrder order)
      implements Serializable {
    Written run(StoreConfig config) throws java.io.IOException {
      Path temp = Files.createTempDirectory("namidb-rewrite");
      try (ObjectStore store = StoreOpener.open(config)) {
        StageTarget target = new StageTarget(store, paths, job, temp);
        return new Written(new ArrayList<>(order.run(target, List.of(file))));
      } finally {
        Files.deleteIfExists(temp);
      }
    }
  }
}
