package com.namidb.spark.write.delta;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.Where;
import com.namidb.format.stage.StagedJob;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.write.publish.NamedJobs;
import com.namidb.spark.write.publish.WriteJob;
import com.namidb.spark.write.task.TaskReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One statement on the driver: its deletions, updates and insertions as parts of one job. */
final class DeltaJob {
  private final Statement statement;
  private final DeltaShapes shapes;
  private final WriteJob deletes;
  private final Optional<WriteJob> updates;
  private final Optional<WriteJob> inserts;

  private DeltaJob(Statement statement, DeltaShapes shapes, StagedJob job) {
    this.statement = statement;
    this.shapes = shapes;
    deletes = part(job, shapes.deletes());
    updates = shapes.updates().map(p -> part(job, p));
    inserts = shapes.inserts().map(p -> part(job, p));
  }

  private WriteJob part(StagedJob job, DeltaShapes.Part part) {
    return WriteJob.sharing(job, part.options(), statement.base(), part.shape());
  }

  /** Begins it; nothing is written yet. */
  static DeltaJob begin(Statement statement, DeltaShapes shapes) {
    OpenNamespace opened = OpenNamespace.at(statement.base().location());
    DeltaJob out =
        new DeltaJob(statement, shapes, NamedJobs.begin(shapes.deletes().options(), opened));
    if (shapes.deletes().options().rules().removal().detach()) {
      QueryLeases.read(statement.base(), opened).planned();
    }
    return out;
  }

  /** Names it in errors and logs. */
  Where where() {
    return deletes.where();
  }

  /** What tasks need. */
  DeltaPlan forTasks() {
    return new DeltaPlan(
        deletes.forTasks(),
        updates.map(WriteJob::forTasks).orElse(null),
        inserts.map(WriteJob::forTasks).orElse(null),
        shapes.rows().schema(),
        statement.onMismatch(),
        shapes.rows().json());
  }

  /** Publishes everything in one commit; empty if there was no row. */
  Optional<CommitReceipt> publish(List<DeltaMessage.Reports> reports) {
    stage(deletes, reports, DeltaMessage.Reports::deletes);
    updates.ifPresent(part -> stage(part, reports, DeltaMessage.Reports::updates));
    inserts.ifPresent(part -> stage(part, reports, DeltaMessage.Reports::inserts));
    return deletes.publish();
  }

  private static void stage(
      WriteJob part,
      List<DeltaMessage.Reports> reports,
      Function<DeltaMessage.Reports, TaskReport> kind) {
    List<TaskReport> own = of(reports, kind);
    if (!own.isEmpty()) {
      part.stage(own);
    }
  }

  private static List<TaskReport> of(
      List<DeltaMessage.Reports> reports, Function<DeltaMessage.Reports, TaskReport> kind) {
    List<TaskReport> out = new ArrayList<>();
    for (DeltaMessage.Reports r : reports) {
      TaskReport one = kind.apply(r);
      if (one != null) {
        out.add(one);
      }
    }
    return out;
  }

  /** Deletes what tasks staged; only if publishing never began. */
  void discard(List<DeltaMessage.Reports> reports) {
    deletes.discard(of(reports, DeltaMessage.Reports::deletes));
    deletes.discard(of(reports, DeltaMessage.Reports::updates));
    deletes.discard(of(reports, DeltaMessage.Reports::inserts));
  }
}
