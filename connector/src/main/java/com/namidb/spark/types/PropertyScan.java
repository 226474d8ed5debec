package com.namidb.spark.types;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlan;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.ExpiredFiles;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;

/** Looks at the property objects of all live rows of a target, where it is cheapest to do so. */
final class PropertyScan {
  /** Up to this many bytes of SSTs a Spark job costs more than it saves. */
  static final long ON_DRIVER_BYTES = 64L << 20;

  private static final long SPLIT_BYTES = 64L << 20;
  private static final int SAMPLED_SLICES = 16;
  private static final int SAMPLED_ROWS = 10_000;
  private static final String DESCRIPTION = "spark.job.description";

  private final Snapshot snapshot;
  private final ScanRequest.Target target;
  private final WalPolicy wal;
  private final OnMismatch onMismatch;
  private final Executor jobs;

  PropertyScan(
      Snapshot snapshot,
      ScanRequest.Target target,
      WalPolicy wal,
      OnMismatch onMismatch,
      Executor jobs) {
    this.snapshot = snapshot;
    this.target = target;
    this.wal = wal;
    this.onMismatch = onMismatch;
    this.jobs = jobs;
  }

  /**
   * Runs it.
   *
   * @param sample look at the first rows of a few slices spread over the table only
   */
  SeenProperties run(boolean sample) {
    return run(sample, ON_DRIVER_BYTES);
  }

  SeenProperties run(boolean sample, long onDriverBytes) {
    ScanPlan plan = plan();
    List<ScanSlice> slices = sample ? spread(plan.slices()) : plan.slices();
    SliceObserver observer =
        new SliceObserver(
            snapshot.location().store(),
            edgeType(),
            sample ? SAMPLED_ROWS : Long.MAX_VALUE,
            onMismatch,
            where());
    return sample || plan.summary().bytes() <= onDriverBytes
        ? SliceObserver.onDriver(observer, slices)
        : onCluster(observer, slices);
  }

  private ScanPlan plan() {
    ScanRequest request =
        new ScanRequest(
            target,
            KeyRanges.ALL,
            KeyRanges.ALL,
            EnumSet.of(Column.PAYLOAD, Column.KEY),
            wal,
            new ScanRequest.Sizing(SPLIT_BYTES, true));
    try (ObjectStore store = StoreOpener.open(snapshot.location().store())) {
      return ScanPlanner.plan(snapshot, request, store);
    } catch (NamiException e) {
      throw explained(e, where(), snapshot.location().store());
    }
  }

  private Where where() {
    return Where.version(snapshot.location().paths().namespace(), snapshot.version());
  }

  /** No lease is held on the driver: what it misses may be collected. */
  static NamiException explained(NamiException error, Where where, StoreConfig config) {
    try (ObjectStore store = StoreOpener.open(config)) {
      return ExpiredFiles.explain(error, where, config, store);
    }
  }

  private String edgeType() {
    return target instanceof ScanRequest.Edges edges ? edges.type() : null;
  }

  private static List<ScanSlice> spread(List<ScanSlice> slices) {
    if (slices.size() <= SAMPLED_SLICES) {
      return slices;
    }
    List<ScanSlice> out = new ArrayList<>();
    for (int i = 0; i < SAMPLED_SLICES; i++) {
      out.add(slices.get((int) ((long) i * slices.size() / SAMPLED_SLICES)));
    }
    return out;
  }

  private SeenProperties onCluster(SliceObserver observer, List<ScanSlice> slices) {
    if (slices.isEmpty()) {
      return SeenProperties.none();
    }
    AtomicReference<SeenProperties> seen = new AtomicReference<>();
    jobs.execute(() -> seen.set(runJob(observer, slices)));
    return seen.get();
  }

  private SeenProperties runJob(SliceObserver observer, List<ScanSlice> slices) {
    SparkContext context = SparkContext.getOrCreate();
    String before = context.getLocalProperty(DESCRIPTION);
    context.setJobDescription("namidb: properties of " + what() + " at " + snapshot);
    try {
      return JavaSparkContext.fromSparkContext(context)
          .parallelize(new ArrayList<>(slices), slices.size())
          .map(observer::observe)
          .reduce(SeenProperties::merge);
    } finally {
      context.setLocalProperty(DESCRIPTION, before);
    }
  }

  private String what() {
    if (target instanceof ScanRequest.Edges edges) {
      return "edges of type " + edges.type();
    }
    return ((ScanRequest.Nodes) target).label().map(l -> "nodes with label " + l).orElse("nodes");
  }
}
