package com.namidb.spark.read;

import com.namidb.format.record.Column;
import com.namidb.format.scan.DiffPlan;
import com.namidb.format.scan.ScanPlan;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.SnapshotDiff;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * The slices of one scan of changes.
 *
 * @param partitions one per slice
 * @param labels label names by id
 * @param summary what planning did, added up over all targets
 * @param millis how long planning took
 */
record PlannedChanges(
    List<ChangesPartition> partitions, List<String> labels, DiffPlan.Summary summary, long millis) {
  private static final DiffPlan.Summary NOTHING = new DiffPlan.Summary(0, 0, 0, 0, 0, 0, 0);

  static PlannedChanges of(ChangesShape shape) {
    long start = System.nanoTime();
    ChangesSource source = shape.source();
    ObjectStore store = OpenNamespace.at(source.to().location()).store();
    int targets = Math.max(1, source.targets().size());
    int tasks = Math.max(1, SparkContext.getOrCreate().defaultParallelism() / targets);
    List<ChangesPartition> partitions = new ArrayList<>();
    List<String> labels = List.of();
    DiffPlan.Summary sum = NOTHING;
    for (ScanRequest.Target target : source.targets()) {
      ScanRequest request =
          new ScanRequest(
              target,
              shape.pushed().keys(),
              shape.pushed().partners(),
              EnumSet.noneOf(Column.class),
              source.reading().wal(),
              source.reading().sizing().forTasks(tasks));
      DiffPlan plan = SnapshotDiff.plan(source.from(), source.to(), request, store);
      String type = target instanceof ScanRequest.Edges e ? e.type() : null;
      plan.slices().forEach(s -> partitions.add(new ChangesPartition(s, type)));
      labels = plan.labels().names();
      sum = add(sum, plan.summary());
    }
    return new PlannedChanges(partitions, labels, sum, (System.nanoTime() - start) / 1_000_000);
  }

  private static DiffPlan.Summary add(DiffPlan.Summary a, DiffPlan.Summary b) {
    return new DiffPlan.Summary(
        a.ssts() + b.ssts(),
        a.differing() + b.differing(),
        a.shared() + b.shared(),
        a.pruned() + b.pruned(),
        a.walRecords() + b.walRecords(),
        a.rows() + b.rows(),
        a.bytes() + b.bytes());
  }

  /** The same in terms of a plain scan: what is read is merged. */
  ScanPlan.Summary asScan() {
    return new ScanPlan.Summary(
        summary.ssts(),
        summary.pruned(),
        0,
        summary.differing() + summary.shared(),
        0,
        summary.walRecords(),
        summary.rows(),
        summary.bytes(),
        summary.bytes());
  }
}
