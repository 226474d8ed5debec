package com.namidb.spark.write.check;

import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.validate.KeyProbe;
import com.namidb.spark.write.task.JavaBytes;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Runs the pieces of a check as a Spark job, one task each. */
public final class SparkProbes implements KeyProbe.Runner {
  private final StoreConfig config;

  /**
   * Makes no request.
   *
   * @param config for tasks
   */
  public SparkProbes(StoreConfig config) {
    this.config = config;
  }

  @Override
  public List<String> run(List<KeyProbe> pieces, int limit) {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
    return run(context, config, pieces.stream().map(JavaBytes::of).toList(), limit);
  }

  // Static, so that the closure takes only what it needs along.
  private static List<String> run(
      JavaSparkContext context, StoreConfig config, List<byte[]> pieces, int limit) {
    return context
        .parallelize(pieces, pieces.size())
        .flatMap(
            piece -> {
              try (ObjectStore store = StoreOpener.open(config)) {
                return JavaBytes.read(piece, KeyProbe.class).run(store, limit).iterator();
              }
            })
        .collect();
  }
}
