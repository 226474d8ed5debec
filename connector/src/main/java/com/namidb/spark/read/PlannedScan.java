package com.namidb.spark.read;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.scan.ScanPlan;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.ExpiredFiles;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.SparkContext;

/**
 * The slices of one scan.
 *
 * @param slices every slice with its edge type
 * @param summary what planning did, added up over all targets
 * @param settled SSTs left out because of filters on properties
 * @param millis how long planning took
 */
record PlannedScan(List<Typed> slices, ScanPlan.Summary summary, int settled, long millis) {
  private static final ScanPlan.Summary NOTHING = new ScanPlan.Summary(0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Plans a scan, further narrowed to keys and partners known at run time only. */
  static PlannedScan of(ScanShape shape, Pushdown narrowed) {
    long start = System.nanoTime();
    TableSource source = shape.source();
    Snapshot snapshot = source.snapshot();
    List<Typed> slices = new ArrayList<>();
    ScanPlan.Summary sum = NOTHING;
    int settled = 0;
    ObjectStore store = OpenNamespace.at(snapshot.location()).store();
    int tasks = tasksPerTarget(source);
    for (ScanRequest.Target target : source.targets()) {
      ScanPlan plan = plan(shape, narrowed, target, store, tasks);
      String type = target instanceof ScanRequest.Edges e ? e.type() : null;
      plan.slices().forEach(s -> slices.add(new Typed(s, type)));
      sum = add(sum, plan.summary());
      settled += plan.settled().size();
    }
    if (slices.isEmpty() && settled == 0) {
      EmptyTable.warn(source, narrowed);
    }
    return new PlannedScan(slices, sum, settled, (System.nanoTime() - start) / 1_000_000);
  }

  /** Every core gets something to do, as with Spark's own files. */
  static int tasksPerTarget(TableSource source) {
    int targets = Math.max(1, source.targets().size());
    return Math.max(1, SparkContext.getOrCreate().defaultParallelism() / targets);
  }

  private static ScanPlan plan(
      ScanShape shape, Pushdown narrowed, ScanRequest.Target target, ObjectStore store, int tasks) {
    TableSource source = shape.source();
    ScanRequest request = request(shape, narrowed, target, tasks);
    Predicate<SstDescriptor> told = PropertyPruning.of(source, target, shape.filters());
    try {
      return ScanPlanner.plan(source.snapshot(), request, store, told);
    } catch (NamiException e) {
      Snapshot s = source.snapshot();
      Where where = Where.version(s.location().paths().namespace(), s.version());
      throw ExpiredFiles.explain(e, where, s.location().store(), store);
    }
  }

  private static ScanRequest request(
      ScanShape shape, Pushdown narrowed, ScanRequest.Target target, int tasks) {
    TableSource source = shape.source();
    return new ScanRequest(
        target,
        narrowed.keys(),
        narrowed.partners(),
        shape.recordColumns(),
        source.reading().wal(),
        source.reading().sizing().forTasks(tasks));
  }

  private static ScanPlan.Summary add(ScanPlan.Summary a, ScanPlan.Summary b) {
    return new ScanPlan.Summary(
        a.ssts() + b.ssts(),
        a.pruned() + b.pruned(),
        a.clean() + b.clean(),
        a.merged() + b.merged(),
        a.deleteFiles() + b.deleteFiles(),
        a.walRows() + b.walRows(),
        a.rows() + b.rows(),
        a.bytes() + b.bytes(),
        a.rowBytes() + b.rowBytes());
  }

  /** One Spark partition per slice; new objects, so that each execution owns its own. */
  SlicePartition[] partitions() {
    return slices.stream()
        .map(t -> new SlicePartition(t.slice(), t.edgeType()))
        .toArray(SlicePartition[]::new);
  }

  /**
   * A slice.
   *
   * @param slice what to read
   * @param edgeType its edge type, {@code null} for nodes
   */
  record Typed(ScanSlice slice, String edgeType) {}
}
